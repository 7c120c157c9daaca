// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of collectives that exchange values through shared memory: publish, barrier, leaders work, barrier,
// collect.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "team_barrier.hpp"

namespace cohort {
namespace ptx {

/// The part of a collective between its two barriers: the constructor and the destructor call `sync`. Inside, threads
/// read what others have published before; afterwards they read what leaders have written inside. team_slots.hpp gives
/// the reason why two barriers suffice.
template <class Sync>
class leader_phase {
 public:
  COHORT_FN explicit leader_phase(Sync sync) : sync_(sync) { sync_(); }
  leader_phase(const leader_phase&) = delete;
  leader_phase& operator=(const leader_phase&) = delete;
  COHORT_FN ~leader_phase() { sync_(); }

 private:
  const Sync sync_;
};

/// The barriers of one team as function objects, for leader_phase. Lambdas would
/// make the code longer, because nvcc inlines them later.
struct sync_team_of {
  uint32_t size;
  COHORT_FN void operator()() const { team_barrier::sync_team(size, nullptr); }
};
struct sync_full_team_of {
  uint32_t size;
  COHORT_FN void operator()() const { team_barrier::sync_full_team(size); }
};
struct sync_any_shape_of {
  uint32_t size;
  COHORT_FN void operator()() const { team_barrier::sync_any_shape(size); }
};

}  // namespace ptx
}  // namespace cohort
