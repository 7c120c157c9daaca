// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp, barriers, and the end of threads. A collective calls the device library's function for it
// (device/ptx/collectives.h), which ends in the collective of __shfl_sync() and its companions.
#include "lower/ptx/emit/emission.hpp"

#include <cohort/base/cuda_error.hpp>

#include "llvm/IR/Module.h"

namespace cohort::ptx {
namespace {

llvm::Value* call_word(emission& e, llvm::StringRef function, llvm::ArrayRef<llvm::Value*> arguments) {
  return call(e.b, function, e.b.getInt32Ty(), arguments);
}

llvm::Value* is_set(emission& e, llvm::Value* word) { return e.b.CreateICmpNE(word, e.b.getInt32(0)); }

// The engine's functions for the block's own barrier, 0 with all threads, and for named barriers.
struct barrier_call {
  std::string wait;
  llvm::SmallVector<llvm::Value*, 3> arguments;
};

// `operands` are the barrier's number and, unless all threads of the block take part, the number of threads.
barrier_call barrier(emission& e, llvm::ArrayRef<llvm::Value*> operands) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operands[0]);
  if (operands.size() == 1 && number && number->isZero()) {
    return {"cohort_wait_block", {}};
  }
  return {"cohort_wait_named", {operands[0], operands.size() == 2 ? operands[1] : e.b.getInt32(0)}};
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
  return {call_word(e, "cohort_ptx_shuffle", {e.in[3], e.in[0], from, name}), in_range};
}

results vote(emission& e) {
  const std::string mode(e.op.one_of({"any", "all", "uni", "ballot"}));
  llvm::Value* name = e.b.CreateGlobalString("vote.sync." + mode);
  llvm::Value* result =
      call_word(e, "cohort_ptx_vote_" + mode, {e.in[1], e.b.CreateZExt(e.in[0], e.b.getInt32Ty()), name});
  return mode == "ballot" ? result : is_set(e, result);
}

results match(emission& e) {
  const std::string mode(e.op.one_of({"any", "all"}));
  llvm::Value* name = e.b.CreateGlobalString("match." + mode + ".sync");
  llvm::Value* lanes = call_word(e, "cohort_ptx_match_" + mode + std::to_string(e.of().bits),
                                 {e.in[1], e.b.CreateZExt(e.in[0], e.b.getInt64Ty()), name});
  return mode == "any" ? results(lanes) : results({lanes, is_set(e, lanes)});
}

results reduce(emission& e) {
  const std::string operation(e.op.one_of({"add", "min", "max", "and", "or", "xor"}));
  const bool is_order = operation == "min" || operation == "max";
  const std::string suffix = !is_order ? "" : e.is_signed() ? "_s32" : "_u32";
  llvm::Value* name = e.b.CreateGlobalString("redux.sync." + operation);
  return call_word(e, "cohort_ptx_reduce_" + operation + suffix, {e.in[1], e.in[0], name});
}

results elect(emission& e) {  // the lowest lane of the mask
  llvm::Value* leader = call_word(e, "cohort_ptx_elect", {e.in[0], e.b.CreateGlobalString("elect.sync")});
  return {leader, e.b.CreateICmpEQ(leader, lane_rank(e.b))};
}

results sync_lanes(emission& e) {
  call(e.b, "cohort_ptx_sync_lanes", e.b.getVoidTy(), {e.in[0], e.b.CreateGlobalString("bar.warp.sync")});
  return {};
}

results active_lanes(emission& e) { return call_word(e, "cohort_wait_converged", {}); }

results sync_barrier(emission& e) {
  const barrier_call made = barrier(e, e.in);
  call(e.b, made.wait, e.b.getVoidTy(), made.arguments);
  return {};
}
results arrive_barrier(emission& e) {
  const barrier_call made = barrier(e, e.in);
  call(e.b, made.wait + "_arrive", e.b.getVoidTy(), made.arguments);
  return {};
}
results reduce_barrier(emission& e) {
  const std::string_view operation = e.op.one_of({"popc", "and", "or"});
  barrier_call made = barrier(e, e.in.drop_back());
  made.arguments.push_back(e.b.CreateZExt(e.in.back(), e.b.getInt32Ty()));
  made.wait += operation == "popc" ? "_count" : operation == "and" ? "_all" : "_any";
  llvm::Value* result = call_word(e, made.wait, made.arguments);
  return operation == "popc" ? result : is_set(e, result);
}

// The barrier of the cluster orders memory in any case.
results arrive_cluster(emission& e) {
  call(e.b, "cohort_ptx_cluster_arrive", e.b.getVoidTy(), {});
  return {};
}
results wait_cluster(emission& e) {
  call(e.b, "cohort_ptx_cluster_wait", e.b.getVoidTy(), {});
  return {};
}

results sleep(emission& e) {
  call(e.b, "cohort_wait_sleep", e.b.getVoidTy(), {e.in[0]});
  return {};
}

results trap(emission& e) {
  auto& b = e.b;
  auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getInt32Ty(), b.getPtrTy()}, true);
  b.CreateCall(b.GetInsertBlock()->getModule()->getOrInsertFunction("cohort_fail", type),
               {b.getInt32(error_launch_failure), b.CreateGlobalString("trap was executed.")});
  return {};
}

results exit_thread(emission& e) {
  call(e.b, "cohort_ptx_exit", e.b.getVoidTy(), {})->setDoesNotReturn();
  return {};
}

results branch(emission&) { return {}; }  // inline_ptx.cpp connects the blocks

}  // namespace cohort::ptx
