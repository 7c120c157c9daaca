// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/structure/assertions.hpp"

#include <vector>

#include "analysis/port_calls.hpp"
#include "gang/structure/failures.hpp"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace cohort {
namespace {

std::vector<llvm::CallInst*> assertions_of(llvm::Function& kernel) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && port_call_of(*call) == port_call::cohort_fail_assert) {
      calls.push_back(call);
    }
  }
  return calls;
}

// The branch to `fail`, a block that ends the function, becomes two: one to `fail` and back, and after it one that
// returns.
void return_behind(llvm::BasicBlock& fail) {
  auto* branch = llvm::cast<llvm::BranchInst>(fail.getSinglePredecessor()->getTerminator());
  const bool fails_if_true = branch->getSuccessor(0) == &fail;
  llvm::BasicBlock* go_on = branch->getSuccessor(fails_if_true ? 1 : 0);
  llvm::LLVMContext& context = fail.getContext();
  llvm::Function* function = fail.getParent();
  auto* behind = llvm::BasicBlock::Create(context, "", function, go_on);
  auto* end = llvm::BasicBlock::Create(context, "", function);
  auto* last = llvm::ReturnInst::Create(context, end);
  auto* second = llvm::BranchInst::Create(fails_if_true ? end : go_on, fails_if_true ? go_on : end,
                                          branch->getCondition(), behind);
  for (llvm::Instruction* made : {static_cast<llvm::Instruction*>(last), static_cast<llvm::Instruction*>(second)}) {
    made->setDebugLoc(branch->getDebugLoc());
  }
  go_on->replacePhiUsesWith(branch->getParent(), behind);
  branch->setSuccessor(fails_if_true ? 1 : 0, behind);
  fail.getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(behind, &fail)->setDebugLoc(last->getDebugLoc());
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): blocks own their instructions

// A block that ends the function lies after all loops, and lanes that leave a loop wait for the others there. A failure
// in a loop with barriers must be noted before the next barrier, so it returns to the loop, which the lane then leaves.
void fail_inside_loops(llvm::BasicBlock& block) {
  std::vector<llvm::BasicBlock*> work{&block};
  while (!work.empty()) {
    llvm::BasicBlock& fail = *work.back();
    work.pop_back();
    if (llvm::pred_empty(&fail)) {
      continue;  // `fail` is the kernel's entry
    }
    llvm::BasicBlock* before = fail.getSinglePredecessor();
    if (!before) {
      separate_predecessors(fail, work);
    } else if (before->getUniqueSuccessor()) {
      if (before->getTerminator()->getNumSuccessors() > 1) {
        llvm::ConstantFoldTerminator(before);
      }
      llvm::MergeBlockIntoPredecessor(&fail);
      work.push_back(before);
    } else {
      return_behind(fail);
    }
  }
}

}  // namespace

bool has_assertions(llvm::Function& kernel) { return !assertions_of(kernel).empty(); }

llvm::Function& copy_without_assertions(llvm::Function& kernel, llvm::FunctionPassManager& simplify,
                                        llvm::FunctionAnalysisManager& functions) {
  llvm::ValueToValueMapTy map;
  llvm::Function& copy = *llvm::CloneFunction(&kernel, map);
  for (llvm::CallInst* call : assertions_of(copy)) {
    llvm::changeToUnreachable(call);
  }
  simplify.run(copy, functions);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(copy))) {
    if (llvm::isa<llvm::AssumeInst>(instruction)) {
      instruction.eraseFromParent();
    }
  }
  functions.invalidate(copy, llvm::PreservedAnalyses::none());
  return copy;
}

void let_lanes_fail_alone(llvm::Function& kernel, bool waits, llvm::FunctionAnalysisManager& functions) {
  kernel.removeFnAttr(llvm::Attribute::NoReturn);  // LLVM gives this attribute to a kernel in which each thread fails
  if (waits) {
    llvm::LowerSwitchPass().run(kernel, functions);
  }
  for (llvm::CallInst* call : assertions_of(kernel)) {
    call->setCalledFunction(declare(*kernel.getParent(), port_call::cohort_gang_fail_assert));
    call->setAttributes({});
    if (waits) {
      fail_inside_loops(*call->getParent());
    }
  }
  functions.invalidate(kernel, llvm::PreservedAnalyses::none());
}

}  // namespace cohort
