// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/control/structured.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"

namespace cohort {
namespace {

// A loop that lanes leave in different iterations has one exit, which only its latch reaches.
bool has_one_exit(const llvm::Loop& loop, llvm::ArrayRef<llvm::BasicBlock*> exiting, const llvm::LoopInfo& loops) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  const llvm::BasicBlock* exit = loop.getUniqueExitBlock();
  return exiting.size() == 1 && exiting[0] == latch && exit && exit->getSinglePredecessor() == latch &&
         loops.getLoopFor(exit) == loop.getParentLoop();
}

bool check_loop(widening& state, const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  const bool is_divergent = llvm::any_of(exiting, [&](auto* block) { return state.shapes.diverges(block); });
  if (!loop.getLoopPreheader() || !loop.getLoopLatch() || (is_divergent && !has_one_exit(loop, exiting, state.loops))) {
    return state.refuse("a loop has exits that cannot be unified", &loop.getHeader()->front());
  }
  return true;
}

// The blocks from `side` up to `join`.
llvm::SmallPtrSet<llvm::BasicBlock*, 16> region_between(llvm::BasicBlock* side, const llvm::BasicBlock* join) {
  llvm::SmallVector<llvm::BasicBlock*, 8> work{side};
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> region{side};
  while (!work.empty()) {
    for (llvm::BasicBlock* next : llvm::successors(work.pop_back_val())) {
      if (next != join && region.insert(next).second) {
        work.push_back(next);
      }
    }
  }
  return region;
}

// A divergent branch enters one region or goes to the join after it. The region has no other entry or exit.
bool check_branch(widening& state, llvm::BasicBlock* block) {
  llvm::BasicBlock* side = state.branches.skipped_side(block);
  if (!side || side->getSinglePredecessor() != block) {
    return state.refuse("a branch has two sides that cannot be serialized", block->getTerminator());
  }
  llvm::BasicBlock* join = state.branches.join(block);
  const auto region = region_between(side, join);
  if (!llvm::all_of(region, [&](auto* inside) { return state.dominators.dominates(side, inside); })) {
    return state.refuse("a region has a second entry", block->getTerminator());
  }
  const auto from_region = llvm::count_if(llvm::predecessors(join), [&](auto* b) { return region.contains(b); });
  if (llvm::pred_size(join) != 2 || from_region != 1 || state.loops.getLoopFor(join) != state.loops.getLoopFor(block)) {
    return state.refuse("a join has several regions", block->getTerminator());
  }
  return true;
}

}  // namespace

bool is_structured(widening& state) {
  return llvm::all_of(state.loops.getLoopsInPreorder(), [&](auto* loop) { return check_loop(state, *loop); }) &&
         llvm::all_of(state.order, [&](auto* block) {
           return !state.shapes.diverges(block) || state.branches.is_latch(block) || check_branch(state, block);
         });
}

}  // namespace cohort
