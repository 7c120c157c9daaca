// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/structure/structure.hpp"

#include <map>
#include <utility>

#include "analysis/context_calls.hpp"
#include "lower/context_reads.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

// Splits reads of an index such as threadIdx[axis] with a computed axis into one read per axis: each has one shape.
void split_axes(llvm::Function& function) {
  for (llvm::CallInst* call : context_calls(function)) {
    if (call->arg_size() == 0) {
      continue;
    }
    auto* axis = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (axis && axis->getValue().ult(3)) {
      continue;
    }
    llvm::IRBuilder<> builder(call);
    llvm::Function* callee = call->getCalledFunction();
    replace_context_call(
        *call, [&](context_value, unsigned number) { return builder.CreateCall(callee, {builder.getInt32(number)}); });
    call->eraseFromParent();
  }
}

// One read of each value, at the entry: a phi of two reads would count as varying.
void unify_reads(llvm::Function& function) {
  std::map<std::pair<context_value, uint64_t>, llvm::CallInst*> known;
  llvm::BasicBlock& entry = function.getEntryBlock();
  for (llvm::CallInst* call : context_calls(function)) {
    const uint64_t axis =
        call->arg_size() == 0 ? 0 : llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
    const context_value value = *read_by(*call);  // NOLINT(bugprone-unchecked-optional-access): it is a context call
    llvm::CallInst*& first = known[{value, axis}];
    if (first) {
      call->replaceAllUsesWith(first);
      call->eraseFromParent();
    } else {
      first = call;
      call->moveBefore(entry, entry.getFirstNonPHIOrDbgOrAlloca());
    }
  }
}

}  // namespace

void simplify_index_reads(llvm::Function& function) {
  split_axes(function);
  unify_reads(function);
}

}  // namespace cohort
