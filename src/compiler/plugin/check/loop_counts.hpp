// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with indices of 32 bits. Such an index wraps around in CUDA's arithmetic, so LLVM's analysis gives neither the
// number of iterations of `for (int i = thread; i < n; i += 256)` nor the distance of the addresses of `x[i]`. Both are
// known where no index wraps, which code before the loop can test.
#pragma once

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace cohort {

// A 32-bit value of a loop, `start + k * step` in iteration k unless it wraps around.
struct loop_index {
  const llvm::SCEV* start;
  const llvm::SCEV* step;
  bool is_signed;  // signed or unsigned in its extension to 64 bits
};

// The iterations of a loop that has one exit, after its last instruction.
struct loop_count {
  const llvm::SCEV* last = nullptr;  // the number of the last iteration, from 0; null: the loop continues below `bound`
  loop_index compared = {};
  const llvm::SCEV* bound = nullptr;
};

std::optional<loop_count> find_count(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

// The address as a linear function of the iteration, if none of the added `indices` wraps around; null if it is none.
const llvm::SCEVAddRecExpr* find_linear(const llvm::SCEV* address, const llvm::Loop& loop,
                                        llvm::ScalarEvolution& evolution, llvm::SmallVectorImpl<loop_index>& indices);

// Whether the values that the number of iterations and the tests of indices need can be computed before the loop.
bool can_expand(const loop_count& count, llvm::ArrayRef<loop_index> indices, const llvm::Loop& loop,
                llvm::ScalarEvolution& evolution, const llvm::SCEVExpander& expander);

// Makes code before the loop that computes the number of iterations: 64 bits, all of them set where an index wraps
// around.
llvm::Value* make_count(const loop_count& count, llvm::ArrayRef<loop_index> indices, const llvm::Loop& loop,
                        llvm::ScalarEvolution& evolution, llvm::SCEVExpander& expander);

}  // namespace cohort
