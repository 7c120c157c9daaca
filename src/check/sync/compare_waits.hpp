// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --check=sync: compares the places at which the members of a barrier or collective waited, and reports what a block
// left behind at its end.
#pragma once

#include <cstdint>

#include "check/memory/tool_ports.hpp"
#include "check/order/waits.hpp"

namespace cohort::check {

struct block_clock;

// The threads first .. end - 1 have synchronised as a tile or as the block.
void compare_waits(block_clock& b, wait_kind kind, uint32_t first, uint32_t end);
// Lanes of a warp have. `exchanges`: values were exchanged. A plain barrier may have several places.
void compare_lanes(block_clock& b, uint32_t warp, uint32_t lanes, bool exchanges);
// The blocks of a cluster have. Each block may have its own place, but all threads of a block must share it.
void compare_cluster(tools::block_view b);
// The blocks of a grid have. Also reports threads of these blocks that have returned.
void compare_grid(tools::grid_view g, wait_kind kind);

// All threads of the block have returned: reports copies and arrivals without a wait.
void end_block(block_clock& b);

}  // namespace cohort::check
