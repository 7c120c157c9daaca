// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a block and of tiles above 32 threads: the warps reduce their lanes, and then their results.
//
// A few values in registers are combined faster than lanes can exchange one: so each thread reads the results of
// several warps at once. docs/design/ptx.md has what was measured.
#pragma once

#include <stdint.h>

#include "../../base/bits.hpp"
#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "../derive_team.hpp"
#include "identity.hpp"
#include "known_op.hpp"
#include "lane_reduce.hpp"
#include "redux.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "team_barrier.hpp"
#include "team_cells.hpp"
#include "tile.hpp"
#include "vote.hpp"

namespace cohort {
namespace ptx {

// A team as the collectives between its warps see it.
struct team_shape {
  // How many warps the caller's team has.
  COHORT_FN static uint32_t warps(uint32_t size) { return (team_barrier::threads_of(size) + 31u) / 32u; }
  // The same, if all teams of this size in the block are complete and made of whole warps, else 0. The same for all
  // threads of the block.
  COHORT_FN static uint32_t whole_warps(uint32_t size) {
    const uint32_t threads = size != 0 ? size : team_barrier::block_size();
    return team_barrier::block_size() % (size != 0 ? size : 32u) == 0 ? threads / 32u : 0u;
  }
  COHORT_FN static uint32_t first_warp(uint32_t size) { return team_barrier::first_of(size) / 32u; }
  COHORT_FN static uint32_t block_warp() { return team_barrier::block_rank() / 32u; }
  COHORT_FN static uint32_t warp(uint32_t size) { return block_warp() - first_warp(size); }
  // The lanes of the caller's warp.
  COHORT_FN static uint32_t lanes() {
    return detail::low_bits(team_barrier::block_size() - (team_barrier::block_rank() & ~31u));
  }
};

// values[0] becomes the combination of all, in the written order.
template <uint32_t Count, class T, class Op>
COHORT_FN T combine_all(detail::slot<T> (&values)[Count], Op& op) {
#pragma unroll
  for (uint32_t step = 1; step < Count; step *= 2) {
#pragma unroll
    for (uint32_t i = 0; i < Count; i += 2 * step) {
      detail::copy_value(values[i].value, op(values[i].value, values[i + step].value));
    }
  }
  return values[0].value;
}

struct team_reduce {
  static constexpr bool has_team_reduce = true;

  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* what) {
    if constexpr (sizeof(T) > 16) {
      return by_pieces::reduce_team(size, value, op, what);
    } else {
      const uint32_t warps = team_shape::whole_warps(size);
      if (warps == 2) return reduce_few<2>(size, value, op, what);
      if (warps == 4) {
        // Two exchanges between lanes less. A tile of 128 shares the multiprocessor with others, and gains nothing.
        if constexpr (sizeof(T) <= 4 && !redux::takes<T, Op>) {
          if (size == 0) return reduce_quarters(value, op, what);
        }
        return reduce_few<4>(size, value, op, what);
      }
      if (warps == 8) return reduce_pieces<8, 4>(size, value, op, what);
      if (warps == 16) return reduce_pieces<16, 4>(size, value, op, what);
      if (warps == 32) return reduce_pieces<32, 8>(size, value, op, what);
      return reduce_any(size, value, op, what);
    }
  }

 private:
  struct parts : identity, shuffles, vote, lane_reduce, team {};
  using by_pieces = detail::derived_team<parts>;
  static constexpr uint32_t all_lanes = 0xffffffffu;

  // Each warp combines the results of all.
  template <uint32_t Warps, class T, class Op>
  COHORT_FN static T reduce_few(uint32_t size, const T& value, Op& op, const char* what) {
    using cells = team_cells<T>;
    const T own = tile::reduce_warp(value, op);
    if (identity::lane() == 0) cells::write(cells::given + team_shape::block_warp(), own);
    team_barrier::sync_team(size, what);
    detail::slot<T> results[Warps];
    cells::read(results, cells::given + team_shape::first_warp(size));
    team_barrier::sync_team(size, what);
    return combine_all(results, op);
  }

  // A block of four warps. Each warp combines the results of all pieces of eight lanes.
  template <class T, class Op>
  COHORT_FN static T reduce_quarters(const T& value, Op& op, const char* what) {
    using cells = team_cells<T>;
    const T own = tile::reduce_halves<8>(value, op);
    if (identity::lane() % 8 == 0) cells::write(cells::quarters + team_barrier::block_rank() / 8u, own);
    team_barrier::sync_team(0, what);
    detail::slot<T> results[16];
    cells::read(results, cells::quarters);
    team_barrier::sync_team(0, what);
    return combine_all(results, op);
  }

  // The first warp of each piece combines the results of its piece, and then each warp those of the pieces.
  template <uint32_t Warps, uint32_t Piece, class T, class Op>
  COHORT_FN static T reduce_pieces(uint32_t size, const T& value, Op& op, const char* what) {
    using cells = team_cells<T>;
    const uint32_t warp = team_shape::warp(size);
    const T own = tile::reduce_warp(value, op);
    if (identity::lane() == 0) cells::write(cells::given + team_shape::block_warp(), own);
    team_barrier::sync_team(size, what);
    if (warp % Piece == 0) {
      detail::slot<T> results[Piece];
      cells::read(results, cells::given + team_shape::block_warp());
      const T total = combine_all(results, op);
      if (identity::lane() == 0) cells::write(cells::pieces(size) + warp / Piece, total);
    }
    team_barrier::sync_team(size, what);
    detail::slot<T> totals[Warps / Piece];
    cells::read(totals, cells::pieces(size));
    return combine_all(totals, op);
  }

  // Of any shape: the first warp combines the results of all, a lane each.
  template <class T, class Op>
  COHORT_FN static T reduce_any(uint32_t size, const T& value, Op& op, const char* what) {
    using cells = team_cells<T>;
    const uint32_t count = team_shape::warps(size);
    const uint32_t lane = identity::lane();
    const T own = tile::reduce_tile<32>(team_shape::lanes(), value, op, what);
    if (count == 1) return own;
    if (lane == 0) cells::write(cells::given + team_shape::block_warp(), own);
    team_barrier::sync_team(size, what);
    if (team_shape::warp(size) == 0) {
      T mine = cells::read(cells::given + team_shape::block_warp() + (lane < count ? lane : 0));
#pragma unroll
      for (uint32_t step = 1; step < 32; step *= 2) {
        T other = shuffles::value_of(all_lanes, mine, lane + step);
        combine_if(lane + step < count, mine, mine, other, op);
      }
      mine = shuffles::value_of(all_lanes, mine, 0);
      if (lane < count) cells::write(cells::received + team_shape::block_warp() + lane, mine);
    }
    team_barrier::sync_team(size, what);
    return cells::read(cells::received + team_shape::block_warp());
  }
};

}  // namespace ptx
}  // namespace cohort
