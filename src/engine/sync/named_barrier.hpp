// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers: the 16 of a block, whose number and count of threads the program gives. They are PTX's
// barrier.cta.{sync,arrive,red} (bar.sync 1, 64), for producers and consumers in one block. A warp counts as 32 threads
// once all its lanes that have not returned have arrived (PTX ISA, "barrier": "the arrival count is incremented by the
// warp size"); before, each arrived lane counts.
//
// Barrier 0 for all threads of the block is the block's own one.
#pragma once

#include "engine/state/block.hpp"

namespace cohort::engine {

// Waits at barrier `number` until `threads` threads have arrived; 0: all of the block that have not returned.
void wait_named(uint32_t number, uint32_t threads, const void* place);
// Waits, and returns how many of the threads passed a true predicate.
uint32_t wait_named_vote(uint32_t number, uint32_t threads, block_vote vote, bool predicate, const void* place);
// Arrives without waiting.
void arrive_named(uint32_t number, uint32_t threads, const void* place);

// Withdraws lane `l`, which has returned. Completes the phases in which it was the last one missing.
void leave_named(block& b, const lane& l);

}  // namespace cohort::engine
