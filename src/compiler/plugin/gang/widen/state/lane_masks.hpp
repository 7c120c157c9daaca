// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of a gang's lanes: vectors of bits, and null for the mask of all lanes. AVX-512 keeps a mask in a register of
// bits; elsewhere a mask that outlives its block is stored as a vector of words, since expanding bits takes up to 170
// instructions.
#pragma once

#include "gang/widen/state/lane_types.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort {

class lane_masks {
 public:
  lane_masks(llvm::IRBuilder<>& builder, const lane_types& types) : b_(builder), types_(types) {}

  // An integer with one bit for each lane.
  llvm::Value* bits(llvm::Value* mask);
  // True if any lane is active.
  llvm::Value* any(llvm::Value* mask);
  llvm::Value* as_vector(llvm::Value* mask);
  // The active lanes for which `condition` holds.
  llvm::Value* both(llvm::Value* mask, llvm::Value* condition);
  llvm::Value* to_stored(llvm::Value* mask);
  llvm::Value* from_stored(llvm::Value* mask);

 private:
  llvm::IRBuilder<>& b_;
  const lane_types& types_;
};

// The masks of the blocks of a kernel, and the conditions of its branches. Masks are in their stored form, but for
// those of latches.
struct block_state {
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> masks;       // lanes that run the block
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> side_masks;  // lanes that enter the region after a branch
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> conditions;  // the thread's conditions of branches
  llvm::MapVector<llvm::Loop*, llvm::PHINode*> loop_masks;           // masks of loops with a divergent latch
  llvm::DenseMap<llvm::Loop*, llvm::Value*> latch_masks;             // lanes that run the latch
};

}  // namespace cohort
