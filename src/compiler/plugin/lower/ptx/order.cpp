// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order and waiting: membar.*, fence.*, bar.{sync,arrive,red}, barrier.cluster, activemask.b32, nanosleep.u32, trap,
// exit. Prefetches, discards, cache policies, pmevent and setmaxnreg are hints without effect, as griddepcontrol is,
// since the kernels of a stream run one after another.
#include "lower/ptx/ptx_lowering.hpp"

#include <cohort/base/cuda_error.hpp>

#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// "bar.cta.sync.aligned", "barrier.sync" -> "sync"; "barrier.cluster.arrive.relaxed" -> "cluster.arrive": the barrier
// orders memory in any case.
llvm::StringRef barrier_operation(llvm::StringRef opcode) {
  if (!opcode.consume_front("bar.") && !opcode.consume_front("barrier.")) {
    return "";
  }
  opcode.consume_front("cta.");
  if (opcode.starts_with("red.")) {
    const auto [name, type] = opcode.rsplit('.');
    llvm::StringRef operation = name;
    operation.consume_back(".aligned");
    return operation;
  }
  opcode.consume_back(".aligned");
  if (opcode.starts_with("cluster.arrive") && !opcode.consume_back(".release")) {
    opcode.consume_back(".relaxed");
  } else if (opcode.starts_with("cluster.wait")) {
    opcode.consume_back(".acquire");
  }
  return opcode;
}

}  // namespace

bool ptx_lowering::lower_barrier(llvm::StringRef operation, llvm::ArrayRef<std::string> operands) {
  if (operation == "cluster.arrive" || operation == "cluster.wait") {
    call(operation == "cluster.arrive" ? "cohort_ptx_cluster_arrive" : "cohort_ptx_cluster_wait", builder_.getVoidTy(),
         {});
    return operands.empty();
  }
  const bool votes = operation == "red.popc" || operation == "red.and" || operation == "red.or";
  if (!votes && operation != "sync" && operation != "arrive") {
    return false;
  }
  // red: result, barrier, threads, predicate. Without a number of threads, all of the block take part.
  auto of_barrier = operands.drop_front(votes && !operands.empty() ? 1 : 0);
  llvm::Value* vote = nullptr;
  if (votes) {
    vote = of_barrier.size() > 1 ? predicate(of_barrier.back()) : nullptr;
    if (!vote) {
      return false;
    }
    of_barrier = of_barrier.drop_back();
    vote = builder_.CreateZExt(vote, builder_.getInt32Ty());
  }
  if (of_barrier.size() != 2 && (of_barrier.size() != 1 || operation == "arrive")) {
    return false;
  }
  llvm::SmallVector<llvm::Value*, 3> arguments;
  const bool is_of_block = of_barrier.size() == 1 && of_barrier[0] == "0";
  if (!is_of_block) {
    llvm::Value* number = source(of_barrier[0], 32, false);
    llvm::Value* threads = of_barrier.size() == 2 ? source(of_barrier[1], 32, false) : builder_.getInt32(0);
    if (!number || !threads) {
      return false;
    }
    arguments = {number, threads};
  }
  const std::string wait = is_of_block ? "cohort_wait_block" : "cohort_wait_named";
  if (!votes) {
    call(operation == "sync" ? wait : wait + "_arrive", builder_.getVoidTy(), arguments);
    return true;
  }
  arguments.push_back(vote);
  const char* what = operation == "red.popc" ? "_count" : operation == "red.and" ? "_all" : "_any";
  llvm::Value* result = call(wait + what, builder_.getInt32Ty(), arguments);
  return write(operands[0], operation == "red.popc" ? result : builder_.CreateICmpNE(result, builder_.getInt32(0)),
               false);
}

bool ptx_lowering::lower_order(const ptx_statement& statement) {
  const llvm::StringRef opcode = statement.opcode;
  const auto& operands = statement.operands;
  auto* nothing = builder_.getVoidTy();
  const bool is_fence = opcode.starts_with("membar.") || opcode.starts_with("fence.");
  if (is_fence && (!opcode.contains("proxy") || opcode == "fence.proxy.alias" ||
                   opcode.starts_with("fence.proxy.async"))) {  // all accesses here are of one kind
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    return operands.empty();
  }
  if (const llvm::StringRef barrier = barrier_operation(opcode); !barrier.empty()) {
    return lower_barrier(barrier, operands);
  }
  if (opcode == "activemask.b32" && operands.size() == 1) {
    return write(operands[0], call("cohort_wait_converged", builder_.getInt32Ty(), {}), false);
  }
  if (opcode == "nanosleep.u32" && operands.size() == 1) {
    llvm::Value* time = source(operands[0], 32, false);
    if (time) {
      call("cohort_wait_sleep", nothing, {time});
    }
    return time != nullptr;
  }
  if (opcode == "trap" && operands.empty()) {
    auto* type = llvm::FunctionType::get(nothing, {builder_.getInt32Ty(), builder_.getPtrTy()}, true);
    builder_.CreateCall(module_.getOrInsertFunction("cohort_fail", type),
                        {builder_.getInt32(error_launch_failure), builder_.CreateGlobalString("trap was executed.")});
    return true;
  }
  if (opcode == "exit" && operands.empty()) {
    llvm::cast<llvm::CallInst>(call("cohort_ptx_exit", nothing, {}))->setDoesNotReturn();
    return true;
  }
  if (opcode == "griddepcontrol.wait" || opcode == "griddepcontrol.launch_dependents") {
    return operands.empty();
  }
  if (opcode.starts_with("createpolicy.")) {  // only a hint of an access can take the policy
    return !operands.empty() && write(operands[0], builder_.getInt64(0), false);
  }
  const bool is_hint = opcode == "pmevent" || opcode == "pmevent.mask" || opcode.starts_with("setmaxnreg.");
  const bool is_hint_for_address =
      opcode.starts_with("prefetch") || opcode.starts_with("discard.") || opcode.starts_with("applypriority.");
  return !operands.empty() && (is_hint || (is_hint_for_address && address(operands[0], false) != nullptr));
}

}  // namespace cohort
