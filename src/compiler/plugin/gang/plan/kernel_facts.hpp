// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts that the plan of a kernel's gangs follows from, as data without LLVM.
#pragma once

#include <cstdint>

namespace cohort {

// The kernel as a gang of 32 lanes in a row, and its threads one by one. Costs are instructions, weighted by the depth
// of loops.
struct gang_estimate {
  double gang = 0;            // the cost of all lanes at once
  double threads = 0;         // the cost of the lanes one by one
  unsigned live_vectors = 0;  // 32-bit values of each lane that a loop keeps
  bool lane_by_lane = false;  // some instruction scatters, or runs for one lane after another
  uint64_t local_bytes = 0;   // bytes of the local variables of a lane
};

struct kernel_facts {
  bool waits = false;        // threads may wait for each other
  bool is_straight = false;  // does not wait, has no loop, and no call with a form for vectors
  bool has_loops = false;    // has loops after its control flow was given the form for lanes
  bool has_rows = false;     // reads threadIdx.y for more than thread ranks
  bool has_warp_collectives = false;
  bool has_assertions = false;
  gang_estimate estimate = {};  // read where needs_estimate() is true
};

}  // namespace cohort
