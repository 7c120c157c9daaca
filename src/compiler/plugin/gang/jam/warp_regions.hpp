// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values and the control flow of a gang of one warp that differ between the warps of a block.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

// Code that warps run one after another: they may leave it by different branches or after different iterations.
struct warp_region {
  llvm::BasicBlock* before = nullptr;  // ends with a branch to `entry`, the only one from outside
  llvm::BasicBlock* entry = nullptr;
  llvm::BasicBlock* behind = nullptr;
  llvm::SetVector<llvm::BasicBlock*> blocks;
};

class warp_analysis {
 public:
  // Analyses `function`. `root`: the parameter that differs between warps. pre: each conditional branch has a block of
  // its own
  warp_analysis(llvm::Function& function, llvm::Argument& root);

  // False if the control flow has no form in which warps run together.
  bool run();

  bool differs(const llvm::Value* value) const { return value == &root_ || differing_.contains(value); }
  // True if each warp executes the instruction for itself.
  bool is_repeated(const llvm::Instruction& instruction) const;
  bool is_sequential(const llvm::BasicBlock* block) const { return sequential_.contains(block); }
  llvm::ArrayRef<warp_region> regions() const { return regions_; }

 private:
  void propagate();
  bool has_own_effect(const llvm::Instruction& instruction) const;
  bool add_region(llvm::BasicBlock* branching);

  llvm::Function& function_;
  llvm::Argument& root_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postdominators_;
  llvm::LoopInfo loops_;
  llvm::DenseSet<const llvm::Value*> differing_;
  llvm::DenseSet<const llvm::BasicBlock*> sequential_;
  llvm::SmallVector<warp_region, 8> regions_;
};

// True if the condition is the answer to a gang question (gang/shape/questions.hpp). All warps of the gang take such a
// branch together.
bool is_common_question(const llvm::Value* condition);
// True for the engine's barriers of the block and beyond, and for asynchronous copies: one call serves all warps.
bool is_joint_call(const llvm::Instruction& instruction);

}  // namespace cohort
