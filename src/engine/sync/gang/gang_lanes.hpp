// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the lanes of a gang that call a wait.
#pragma once

#include "engine/sync/gang/retire_lanes.hpp"
#include "engine/sync/gang/suspend_gang.hpp"

namespace cohort::engine {

// First statement of each wait except the block's: retires the lanes that have returned. Afterwards the calling lanes
// are gang::live.
inline gang& begin_gang_wait(const uint32_t* lanes) {
  gang& self = *current_gang();
  if (!are_live_lanes(self, lanes)) retire_lanes(self, lanes);
  return self;
}

// Rank in the block of the lowest lane of `lanes` in the gang's word `word`.
inline uint32_t lowest_rank(const gang& g, uint32_t word, uint32_t lanes) {
  return g.shape.first_rank + word * lanes_per_warp + lowest(lanes);
}

// Makes the lowest live lane the thread that a report names.
inline void name_lowest_lane(gang& g) {
  for (uint32_t word = 0; word < g.table->words; ++word) {
    if (g.live[word]) return g.name_thread(lowest_rank(g, word, g.live[word]));
  }
}

// Stores that live lanes of the gang's word `word` wait at `barrier`, the barrier of a team or one beyond the block.
inline void add_waiting(gang& g, int barrier, uint32_t word, uint32_t lanes) {
  block& b = *g.table->block;
  b.waiting[barrier][g.first_warp + word] |= lanes;
  b.warps[g.first_warp + word].at_wide |= lanes;
  if (lanes) g.table->wide |= g.bit;
  g.table->warps_changed = true;
}

}  // namespace cohort::engine
