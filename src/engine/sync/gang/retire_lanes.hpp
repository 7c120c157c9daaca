// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a gang that have returned from the kernel. The engine learns of them at the gang's next wait, whose mask
// they are missing from, or when the gang's function returns.
#pragma once

#include "engine/state/gang.hpp"

namespace cohort::engine {

// `lanes` are all lanes of the gang that have not returned. Null stands for such a mask.
inline bool are_live_lanes(const gang& g, const uint32_t* lanes) {
  if (!lanes) return true;
  uint32_t difference = 0;
  for (uint32_t word = 0; word < g.table->words; ++word) difference |= lanes[word] ^ g.live[word];
  return difference == 0;
}

// All lanes of `g` but `lanes` have returned: no barrier counts them any more, and those that waited for them alone are
// complete. Null: no lane is left.
void retire_lanes(gang& g, const uint32_t* lanes);

// An assertion failed in a lane of `g`, which never runs again. It counts as one that waits for what never comes, so no
// wait that needs it is ever complete.
void set_aside_lane(gang& g, uint32_t block_thread_rank);

// The gang's function has returned. Returns the gang to run next, or null.
gang* withdraw_gang(gang& self);

}  // namespace cohort::engine
