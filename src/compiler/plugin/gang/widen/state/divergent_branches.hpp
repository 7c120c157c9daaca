// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The divergent branches of a structured kernel: each skips one region, or ends a loop at its latch.
#pragma once

#include "gang/shape/shapes.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"

namespace cohort {

class divergent_branches {
 public:
  divergent_branches(const shape_analysis& shapes, const llvm::LoopInfo& loops,
                     const llvm::PostDominatorTree& postdominators)
      : shapes_(shapes), loops_(loops), postdominators_(postdominators) {}

  // True if the active lanes may leave `block`, the latch of a loop, by different branches.
  bool is_latch(const llvm::BasicBlock* block) const;
  // The successor that some lanes skip; null if no successor postdominates the other one.
  llvm::BasicBlock* skipped_side(const llvm::BasicBlock* block) const;
  // The successor that no lane skips: all lanes run together again there.
  llvm::BasicBlock* join(const llvm::BasicBlock* block) const;

 private:
  const shape_analysis& shapes_;
  const llvm::LoopInfo& loops_;
  const llvm::PostDominatorTree& postdominators_;
};

}  // namespace cohort
