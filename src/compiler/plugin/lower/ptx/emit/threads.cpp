// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp, barriers, and the end of threads. A collective calls the device library's function for it
// (device/ptx/collectives.h), which ends in the collective of __shfl_sync() and its companions.
#include "lower/ptx/emit/emission.hpp"
#include "names.hpp"

#include <cohort/base/cuda_error.hpp>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

namespace cohort::ptx {
namespace {

// The engine's functions for the block's own barrier, 0 with all threads, and for named barriers.
struct barrier_functions {
  port_call of_block, named;
};

// Calls the engine's function for a barrier. `operands` are the barrier's number and, unless all threads of the block
// take part, the number of threads. `predicate` may be null.
llvm::Value* call_barrier(emission& e, const barrier_functions& functions, llvm::ArrayRef<llvm::Value*> operands,
                          llvm::Value* predicate = nullptr) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operands[0]);
  const bool is_of_block = operands.size() == 1 && number && number->isZero();
  llvm::SmallVector<llvm::Value*, 3> arguments;
  if (!is_of_block) {
    arguments = {operands[0], operands.size() == 2 ? operands[1] : e.b.getInt32(0)};
  }
  if (predicate) {
    arguments.push_back(e.b.CreateZExt(predicate, e.b.getInt32Ty()));
  }
  return call(e.b, is_of_block ? functions.of_block : functions.named, arguments);
}

results fail_launch(builder& b, const char* text) {
  call(b, port_call::cohort_fail, {b.getInt32(error_launch_failure), b.CreateGlobalString(text)});
  return {};
}

}  // namespace

// shfl.sync.mode.b32 d|p, a, b, c, mask. Bits 0 to 4 of c bound the source lane, bits 8 to 12 divide the warp into
// segments. p is false where the source lane is out of range; the lane then reads itself.
results shuffle(emission& e) {
  auto& b = e.b;
  const std::string_view mode = e.op.one_of({"up", "down", "bfly", "idx"});
  llvm::Value* argument = b.CreateAnd(e.in[1], 31);
  llvm::Value* clamp = b.CreateAnd(e.in[2], 31);
  llvm::Value* segment = b.CreateAnd(b.CreateLShr(e.in[2], 8), 31);
  llvm::Value* inside = b.CreateXor(segment, 31);
  llvm::Value* lane = lane_rank(b);
  llvm::Value* first = b.CreateAnd(lane, segment);
  llvm::Value* last = b.CreateOr(first, b.CreateAnd(clamp, inside));
  llvm::Value* from = mode == "up"     ? b.CreateSub(lane, argument)
                      : mode == "down" ? b.CreateAdd(lane, argument)
                      : mode == "bfly" ? b.CreateXor(lane, argument)
                                       : b.CreateOr(first, b.CreateAnd(argument, inside));
  llvm::Value* in_range = mode == "up" ? b.CreateICmpSGE(from, last) : b.CreateICmpSLE(from, last);
  from = b.CreateAnd(b.CreateSelect(in_range, from, lane), 31);
  llvm::Value* name = b.CreateGlobalString("shfl.sync." + std::string(mode));
  return {call(b, ptx_call::cohort_ptx_shuffle, {e.in[3], e.in[0], from, name}), in_range};
}

results vote(emission& e) {
  const std::string mode(e.op.one_of({"any", "all", "uni", "ballot"}));
  llvm::Value* name = e.b.CreateGlobalString("vote.sync." + mode);
  const ptx_call function = llvm::StringSwitch<ptx_call>(mode)
                                .Case("any", ptx_call::cohort_ptx_vote_any)
                                .Case("all", ptx_call::cohort_ptx_vote_all)
                                .Case("uni", ptx_call::cohort_ptx_vote_uni)
                                .Case("ballot", ptx_call::cohort_ptx_vote_ballot);
  llvm::Value* result = call(e.b, function, {e.in[1], e.b.CreateZExt(e.in[0], e.b.getInt32Ty()), name});
  return mode == "ballot" ? result : is_set(e, result);
}

results match(emission& e) {
  const std::string mode(e.op.one_of({"any", "all"}));
  llvm::Value* name = e.b.CreateGlobalString("match." + mode + ".sync");
  const bool is_any = mode == "any", is_short = e.of().bits == 32;
  const ptx_call any = is_short ? ptx_call::cohort_ptx_match_any32 : ptx_call::cohort_ptx_match_any64;
  const ptx_call all = is_short ? ptx_call::cohort_ptx_match_all32 : ptx_call::cohort_ptx_match_all64;
  llvm::Value* lanes = call(e.b, is_any ? any : all, {e.in[1], e.b.CreateZExt(e.in[0], e.b.getInt64Ty()), name});
  return is_any ? results(lanes) : results({lanes, is_set(e, lanes)});
}

results reduce(emission& e) {
  const std::string operation(e.op.one_of({"add", "min", "max", "and", "or", "xor"}));
  const bool is_signed = e.is_signed();
  const ptx_call function =
      llvm::StringSwitch<ptx_call>(operation)
          .Case("add", ptx_call::cohort_ptx_reduce_add)
          .Case("min", is_signed ? ptx_call::cohort_ptx_reduce_min_s32 : ptx_call::cohort_ptx_reduce_min_u32)
          .Case("max", is_signed ? ptx_call::cohort_ptx_reduce_max_s32 : ptx_call::cohort_ptx_reduce_max_u32)
          .Case("and", ptx_call::cohort_ptx_reduce_and)
          .Case("or", ptx_call::cohort_ptx_reduce_or)
          .Case("xor", ptx_call::cohort_ptx_reduce_xor);
  llvm::Value* name = e.b.CreateGlobalString("redux.sync." + operation);
  return call(e.b, function, {e.in[1], e.in[0], name});
}

results elect(emission& e) {  // the lowest lane of the mask
  llvm::Value* leader = call(e.b, ptx_call::cohort_ptx_elect, {e.in[0], e.b.CreateGlobalString("elect.sync")});
  return {leader, e.b.CreateICmpEQ(leader, lane_rank(e.b))};
}

results sync_lanes(emission& e) {
  call(e.b, ptx_call::cohort_ptx_sync_lanes, {e.in[0], e.b.CreateGlobalString("bar.warp.sync")});
  return {};
}

results active_lanes(emission& e) { return call(e.b, port_call::cohort_wait_converged); }

results sync_barrier(emission& e) {
  call_barrier(e, {port_call::cohort_wait_block, port_call::cohort_wait_named}, e.in);
  return {};
}
results arrive_barrier(emission& e) {
  call(e.b, port_call::cohort_wait_named_arrive, e.in);
  return {};
}
results reduce_barrier(emission& e) {
  const std::string_view operation = e.op.one_of({"popc", "and", "or"});
  const barrier_functions functions =
      operation == "popc"  ? barrier_functions{port_call::cohort_wait_block_count, port_call::cohort_wait_named_count}
      : operation == "and" ? barrier_functions{port_call::cohort_wait_block_all, port_call::cohort_wait_named_all}
                           : barrier_functions{port_call::cohort_wait_block_any, port_call::cohort_wait_named_any};
  llvm::Value* result = call_barrier(e, functions, e.in.drop_back(), e.in.back());
  return operation == "popc" ? result : is_set(e, result);
}

// The barrier of the cluster orders memory in any case.
results arrive_cluster(emission& e) {
  call(e.b, ptx_call::cohort_ptx_cluster_arrive);
  return {};
}
results wait_cluster(emission& e) {
  call(e.b, ptx_call::cohort_ptx_cluster_wait);
  return {};
}

results sleep(emission& e) {
  call(e.b, port_call::cohort_wait_sleep, {e.in[0]});
  return {};
}

results trap(emission& e) { return fail_launch(e.b, "trap was executed."); }
results break_point(emission& e) {
  return fail_launch(e.b, "brkpt was executed; set breakpoints with the debugger instead");
}

results exit_thread(emission& e) {
  llvm::Module& module = *e.b.GetInsertBlock()->getModule();
  llvm::CallInst* ends = e.b.CreateCall(module.getOrInsertFunction(names::exit_thread, e.b.getVoidTy()));
  ends->setConvergent();
  ends->setDoesNotReturn();
  return {};
}

results branch(emission&) { return {}; }  // inline_ptx.cpp connects the blocks

}  // namespace cohort::ptx
