// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a gang that have returned from the kernel. The engine finds them at the gang's next wait, whose mask lacks
// them, or when the gang's function returns.
#pragma once

#include "engine/state/gang.hpp"

namespace cohort::engine {

// True if `lanes` are all lanes of the gang that have not returned. Null stands for such a mask.
inline bool are_live_lanes(const gang& g, const uint32_t* lanes) {
  if (!lanes) return true;
  uint32_t difference = 0;
  for (uint32_t word = 0; word < g.table->words; ++word) difference |= lanes[word] ^ g.live[word];
  return difference == 0;
}

// Retires all lanes of `g` except `lanes`: barriers no longer count them, and barriers that waited only for them
// complete. Null: no lane is left.
void retire_lanes(gang& g, const uint32_t* lanes);

// Sets a lane of `g` aside in which an assertion failed. It never runs again and counts as waiting for ever, so no wait
// that needs it completes.
void set_aside_lane(gang& g, uint32_t block_thread_rank);

// Withdraws a gang whose function has returned. Returns the gang to run next, or null.
gang* withdraw_gang(gang& self);

}  // namespace cohort::engine
