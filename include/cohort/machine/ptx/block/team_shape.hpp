// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block or a tile above 32 threads as the collectives between its warps see it.
#pragma once

#include <stdint.h>

#include "../../../base/bits.hpp"
#include "../../../base/config.hpp"
#include "team_barrier.hpp"

namespace cohort {
namespace ptx {

struct team_shape {
  COHORT_FN explicit team_shape(uint32_t size)
      : first_warp(team_barrier::first_of(size) / 32u),
        block_warp(team_barrier::block_rank() / 32u),
        warp(block_warp - first_warp) {}

  // How many warps each team of this size in the block has, if they are whole and the same for all teams; else 0. The
  // same for all threads of the block.
  COHORT_FN static uint32_t whole_warps(uint32_t size) {
    if (size != 0) return team_barrier::has_own_barriers(size) ? size / 32u : 0u;
    const uint32_t block = team_barrier::block_size();
    return block % 32u == 0 ? block / 32u : 0u;
  }
  // How many the caller's has, whole or not.
  COHORT_FN static uint32_t warps(uint32_t size) { return (team_barrier::threads_of(size) + 31u) / 32u; }
  // The lanes of the caller's warp.
  COHORT_FN static uint32_t lanes() {
    return detail::low_bits(team_barrier::block_size() - (team_barrier::block_rank() & ~31u));
  }

  // Which piece of so many warps the caller's works for, if the team has so many pieces. These warps are neighbours,
  // and of two tiles different ones: warps take turns at a quarter of the multiprocessor, the one with their number
  // modulo four.
  COHORT_FN uint32_t led_piece(uint32_t warps) const { return warp - first_warp / warps; }

  const uint32_t first_warp, block_warp;  // counted in the block
  const uint32_t warp;                    // the caller's in the team
};

}  // namespace ptx
}  // namespace cohort
