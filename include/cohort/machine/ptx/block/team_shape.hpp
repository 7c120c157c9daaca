// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warps of a team, as its collectives use them.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "../../contract/concept.hpp"
#include "../identity.hpp"
#include "team_barrier.hpp"

namespace cohort {
namespace ptx {

struct team_shape {
  COHORT_FN explicit team_shape(uint32_t size)
      : first_warp(team_barrier::first_thread(size) / 32u),
        block_warp(identity::block_thread_rank() / 32u),
        warp(block_warp - first_warp) {}

  /// Number of warps of each team of this size in the block, if all teams are full; else 0. Equal in all threads of the
  /// block.
  COHORT_FN static uint32_t full_warps(uint32_t size) {
    if (size != whole_block) return team_barrier::has_full_hardware_teams(size) ? size / 32u : 0u;
    const uint32_t block = identity::block_threads();
    return block % 32u == 0 ? block / 32u : 0u;
  }
  /// Number of warps of the caller's team, a partial warp included.
  COHORT_FN static uint32_t warps(uint32_t size) { return (team_barrier::team_threads(size) + 31u) / 32u; }
  /// Lanes of the caller's warp.
  COHORT_FN static uint32_t lanes() {
    return detail::low_bits(identity::block_threads() - (identity::block_thread_rank() & ~31u));
  }

  /// True in the last lane of the caller's warp.
  COHORT_FN static bool is_last_lane() {
    return identity::kept_lane() == 31 || identity::block_thread_rank() + 1 == identity::block_threads();
  }

  /// Index of the segment of `warps` warps that the caller's warp leads, if the team has so many segments. Leaders are
  /// adjacent warps, and different ones in adjacent tiles. A multiprocessor executes warp w on quarter w modulo 4, so
  /// leaders execute in parallel.
  COHORT_FN uint32_t led_segment(uint32_t warps) const { return warp - first_warp / warps; }

  const uint32_t first_warp;  ///< the team's first warp, as a rank in the block
  const uint32_t block_warp;  ///< rank in the block of the caller's warp
  const uint32_t warp;        ///< rank in the team of the caller's warp
};

}  // namespace ptx
}  // namespace cohort
