// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers above a warp whose two halves may come apart, and what opens them.
#pragma once

#include <cstdint>

#include "../state/block.hpp"

namespace cohort::engine {

// Lets the lanes of warps first .. end - 1 that wait at `barrier` go on, and those that have only arrived pass later.
// `runs`: called by a running thread, whose warp's ready lanes are in `running`.
void open_barrier(block& b, int barrier, uint32_t first, uint32_t end, bool runs);

// Opens the cluster's, grid's and multi-grid's barriers that are complete and that this block waits for.
void open_outer_barriers(block& b, bool runs);
// A thread has returned, and is no longer counted in b.live: nobody waits for it any more.
void leave_barriers(block& b, warp& w, uint32_t lane_bit);

// Reports it if both halves of the barrier are apart where this thread stands.
void check_not_between_halves(block& b, const warp& w, uint32_t lane_bit, int barrier, const void* place);

// What a report calls the barrier: "thread_block", "grid_group" ...
const char* name_of(int barrier);

}  // namespace cohort::engine
