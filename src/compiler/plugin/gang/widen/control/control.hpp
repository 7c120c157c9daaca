// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask for each block names the lanes that run it. A block runs if any lane is active in it, so the scalar code of
// uniform values is right wherever it stands.
#pragma once

#include "gang/shape/questions.hpp"
#include "gang/widen/state/widening.hpp"

#include "llvm/ADT/DenseSet.h"

namespace cohort {

class control_widener : widening_part {
 public:
  explicit control_widener(widening& state) : widening_part(state) {}

  // Makes the mask of a block from those of the blocks before it. False: the kernel is refused.
  bool make_mask(llvm::BasicBlock* block);
  // The mask of a block as a vector of bits, made at the block's start. The builder stays there.
  value* mask_of(llvm::BasicBlock* block);
  // A divergent branch goes to the region or the loop's header if any lane does.
  void widen_branch(llvm::BranchInst& branch, value* mask);
  void answer(llvm::CallInst& call, gang_question question, value* mask);

 private:
  void make_entry_mask(value*& mask);
  void make_header_mask(llvm::Loop& loop, value*& mask);
  value* is_full(llvm::CallInst& call, value* mask);
  value* all_stay(llvm::CallInst& call);

  llvm::DenseSet<const llvm::BasicBlock*> full_blocks_;  // run only if all lanes are active
};

}  // namespace cohort
