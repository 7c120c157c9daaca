// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/state/divergent_branches.hpp"

#include "llvm/IR/Instructions.h"

namespace cohort {

bool divergent_branches::is_latch(const llvm::BasicBlock* block) const {
  const llvm::Loop* loop = loops_.getLoopFor(block);
  return loop && loop->getLoopLatch() == block && loop->isLoopExiting(block) && shapes_.diverges(block);
}

llvm::BasicBlock* divergent_branches::skipped_side(const llvm::BasicBlock* block) const {
  llvm::BasicBlock* a = block->getTerminator()->getSuccessor(0);
  llvm::BasicBlock* b = block->getTerminator()->getSuccessor(1);
  if (a == b) {
    return nullptr;
  }
  return postdominators_.dominates(b, a) ? a : postdominators_.dominates(a, b) ? b : nullptr;
}

llvm::BasicBlock* divergent_branches::join(const llvm::BasicBlock* block) const {
  const llvm::Instruction* branch = block->getTerminator();
  return branch->getSuccessor(branch->getSuccessor(0) == skipped_side(block) ? 1 : 0);
}

}  // namespace cohort
