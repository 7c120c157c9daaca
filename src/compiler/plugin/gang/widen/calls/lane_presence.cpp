// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/calls/lane_presence.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cohort {
namespace {

bool has_effects(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd()) {
      return false;
    }
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load ? !load->isSimple() : instruction.mayHaveSideEffects();
  });
}

// True if a lane that goes to `block` does nothing more, so it has returned already.
bool only_returns(const widening& state, const llvm::BasicBlock* block) {
  llvm::SmallVector<const llvm::BasicBlock*, 8> work{block};
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen{block};
  while (!work.empty()) {
    const llvm::BasicBlock* here = work.pop_back_val();
    if (has_effects(*here) || state.loops.getLoopFor(here)) {
      return false;
    }
    for (const llvm::BasicBlock* next : llvm::successors(here)) {
      if (seen.insert(next).second) {
        work.push_back(next);
      }
    }
  }
  return true;
}

}  // namespace

// Follows the masks of `block` to the kernel's entry, as control_widener::make_mask() makes them.
lane_presence presence_at(const widening& state, const llvm::BasicBlock* block) {
  auto result = lane_presence::all;
  auto miss = [&](const llvm::BasicBlock* elsewhere) {
    result = result != lane_presence::some && only_returns(state, elsewhere) ? lane_presence::all_but_returned
                                                                             : lane_presence::some;
  };
  while (block != &state.function.getEntryBlock()) {
    const llvm::Loop* loop = state.loops.getLoopFor(block);
    if (loop && loop->getHeader() == block) {
      if (state.branches.is_latch(loop->getLoopLatch())) {
        miss(loop->getUniqueExitBlock());
      }
      block = loop->getLoopPreheader();
      continue;
    }
    const llvm::BasicBlock* before = block->getSinglePredecessor();
    if (!before) {
      block = state.dominators.getNode(block)->getIDom()->getBlock();
      continue;
    }
    const llvm::Loop* left = state.loops.getLoopFor(before);
    if (left && !left->contains(block)) {
      block = left->getLoopPreheader();
      continue;
    }
    if (state.shapes.diverges(before) && state.branches.skipped_side(before) == block) {
      miss(state.branches.join(before));
    }
    block = before;
  }
  return result;
}

}  // namespace cohort
