// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --check=sync: compares the places at which the members of a barrier or collective waited, and reports copies and
// arrivals that a block has not waited for at its end.
#pragma once

#include <cstdint>

#include "check/memory/tool_ports.hpp"
#include "check/order/waits.hpp"

namespace cohort::check {

struct block_clock;

// Compares the waits of the threads first .. end - 1, which have synchronised as a tile or as the block.
void compare_waits(block_clock& b, wait_kind kind, uint32_t first, uint32_t end);
// Compares the waits of lanes of a warp, which have synchronised. `exchanges`: they exchanged values. A plain barrier
// may have several places.
void compare_lanes(block_clock& b, uint32_t warp, uint32_t lanes, bool exchanges);
// Compares the waits in the blocks of a cluster, which have synchronised. Each block may have its own place, but all
// threads of a block must share it.
void compare_cluster(tools::block_view b);
// Compares the waits in the blocks of a grid, which have synchronised. Also reports threads of these blocks that have
// returned.
void compare_grid(tools::grid_view g, wait_kind kind);

// Reports copies and arrivals without a wait. pre: all threads of the block have returned
void end_block(block_clock& b);

}  // namespace cohort::check
