// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/memory/cold_values.hpp"

#include <cstdint>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ProfDataUtils.h"

namespace cohort {
namespace {

// A side is rare if the other one is at least so many times as frequent: conditions of sources have 2000.
constexpr uint64_t least_ratio = 1 << 19;

// The block in which rare code begins, for each block of such code.
class cold_code {
 public:
  explicit cold_code(llvm::Function& function) {
    llvm::SmallVector<llvm::BasicBlock*, 8> begins;
    for (llvm::BasicBlock& block : function) {
      if (is_rare_side(block)) {
        begins.push_back(&block);
      }
    }
    if (begins.empty()) {
      return;
    }
    const llvm::DominatorTree dominators(function);
    for (llvm::BasicBlock* begin : begins) {
      llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
      dominators.getDescendants(begin, blocks);
      for (llvm::BasicBlock* block : blocks) {
        llvm::BasicBlock*& known = begins_[block];
        known = known && dominators.dominates(known, begin) ? known : begin;
      }
    }
  }

  bool empty() const { return begins_.empty(); }
  llvm::BasicBlock* begin_of(const llvm::BasicBlock* block) const { return begins_.lookup(block); }

  // The begin of the code that has this use, or null.
  llvm::BasicBlock* begin_of(const llvm::Use& use) const {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return begin_of(phi ? phi->getIncomingBlock(use) : user->getParent());
  }

 private:
  static bool is_rare_side(const llvm::BasicBlock& block) {
    const llvm::BasicBlock* before = block.getSinglePredecessor();
    auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    uint64_t taken = 0, skipped = 0;
    if (!branch || !branch->isConditional() || !llvm::extractBranchWeights(*branch, taken, skipped)) {
      return false;
    }
    const bool is_first = branch->getSuccessor(0) == &block;
    return (is_first ? taken : skipped) * least_ratio <= (is_first ? skipped : taken);
  }

  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> begins_;
};

// True if the instruction may be executed later and more than once.
bool may_move(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst>(instruction) && !instruction.isTerminator() &&
         !instruction.isEHPad() && !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() &&
         !instruction.getType()->isTokenTy() &&
         (!call || (llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent()));
}

bool sink(llvm::Instruction& instruction, const cold_code& cold) {
  llvm::SmallMapVector<llvm::BasicBlock*, llvm::SmallVector<llvm::Use*, 4>, 4> uses;
  for (llvm::Use& use : instruction.uses()) {
    llvm::BasicBlock* begin = cold.begin_of(use);
    if (!begin) {
      return false;
    }
    uses[begin].push_back(&use);
  }
  for (const auto& [begin, used] : uses) {
    llvm::Instruction* copy = instruction.clone();
    copy->insertBefore(&*begin->getFirstInsertionPt());
    for (llvm::Use* use : used) {
      use->set(copy);
    }
  }
  instruction.eraseFromParent();
  return true;
}

}  // namespace

bool sink_cold_values(llvm::Function& function) {
  if (function.isDeclaration()) {
    return false;
  }
  const cold_code cold(function);
  if (cold.empty()) {
    return false;
  }
  bool changed = false;
  // Users come before their operands, which are sunk after them.
  for (llvm::BasicBlock* block : llvm::post_order(&function)) {
    if (cold.begin_of(block)) {
      continue;
    }
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(*block))) {
      if (!instruction.use_empty() && may_move(instruction)) {
        changed = sink(instruction, cold) || changed;
      }
    }
  }
  return changed;
}

}  // namespace cohort
