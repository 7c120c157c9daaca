// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of a block and of tiles above 32 threads: the warps scan their lanes; then each combines its lanes, on the
// right, with what the warps before it have together.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "../derive_team.hpp"
#include "identity.hpp"
#include "known_op.hpp"
#include "lane_reduce.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "team_barrier.hpp"
#include "team_cells.hpp"
#include "team_reduce.hpp"
#include "tile.hpp"
#include "vote.hpp"

namespace cohort {
namespace ptx {

// What comes before a place in the written order of a scan, as far as it is known.
template <class T>
class scan_prefix {
 public:
  // Goes on with values on the left of what is there; the place is behind `place` of them. values[0] becomes the
  // combination of all. The last step that takes part holds the lowest values.
  template <uint32_t Count, class Op>
  COHORT_FN void add(detail::slot<T> (&values)[Count], uint32_t place, Op& op) {
#pragma unroll
    for (uint32_t step = 1; step < Count; step *= 2) {
      T lower = values[0].value;
#pragma unroll
      for (uint32_t i = 2 * step; i < Count; i += 2 * step) {
        lower = choose((place & ~(2 * step - 1)) == i, values[i].value, lower);
      }
      if ((place & step) != 0) {
        if (exists_) {
          detail::copy_value(value_.value, op(lower, value_.value));
        } else {
          detail::copy_value(value_.value, lower);
        }
        exists_ = true;
      }
#pragma unroll
      for (uint32_t i = 0; i < Count; i += 2 * step) {
        detail::copy_value(values[i].value, op(values[i].value, values[i + step].value));
      }
    }
  }

  template <class Op>
  COHORT_FN T before(T own, Op& op) {
    combine_if(exists_, own, value_.value, own, op);
    return own;
  }

 private:
  detail::slot<T> value_;
  bool exists_ = false;
};

struct team_scan {
  static constexpr bool has_team_scan = true;

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* what) {
    if constexpr (sizeof(T) > 16) {
      return by_pieces::inclusive_scan_team(size, value, op, what);
    } else {
      const T own = tile::inclusive_scan_tile<32>(0, value, op, what);
      const uint32_t warps = team_shape::whole_warps(size);
      if (warps == 2) return scan_few<2>(size, own, op, what);
      if (warps == 4) return scan_few<4>(size, own, op, what);
      if (warps == 8) return scan_pieces<8, 4>(size, own, op, what);
      if (warps == 16) return scan_pieces<16, 4>(size, own, op, what);
      if (warps == 32) return scan_pieces<32, 8>(size, own, op, what);
      if (team_shape::warps(size) == 1) return own;
      scan_any(size, own, op, what);
      if (team_shape::warp(size) == 0) return own;
      T before = team_cells<T>::read(team_cells<T>::received + team_shape::block_warp());
      T mine = own;
      return op(before, mine);
    }
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* what) {
    if constexpr (sizeof(T) > 16) {
      return by_pieces::exclusive_scan_team(size, value, first, op, what);
    } else if constexpr (is_invertible_v<Op, T>) {
      const T inclusive = inclusive_scan_team(size, value, op, what);
      return team_barrier::block_rank() == team_barrier::first_of(size) ? first : take_away<Op>(inclusive, value);
    } else {
      using cells = team_cells<T>;
      const bool is_first = identity::lane() == 0;
      const T inclusive = tile::inclusive_scan_tile<32>(0, value, op, what);
      T own = shuffles::value_below<32>(0xffffffffu, inclusive, 1);
      if (team_shape::warps(size) != 1) scan_any(size, inclusive, op, what);
      if (team_shape::warp(size) == 0) return is_first ? first : own;
      // The first lane goes on where the warp before ends, with the scan of its last lane.
      if (is_first) return cells::read(cells::also_received + team_shape::block_warp());
      T before = cells::read(cells::received + team_shape::block_warp());
      return op(before, own);
    }
  }

 private:
  struct parts : identity, shuffles, vote, lane_reduce, team {};
  using by_pieces = detail::derived_team<parts>;

  // The total of a warp is what its last lane has.
  template <class T>
  COHORT_FN static void give_total(const T& own) {
    const bool is_last = identity::lane() == 31 || team_barrier::block_rank() + 1 == team_barrier::block_size();
    if (is_last) team_cells<T>::write(team_cells<T>::given + team_shape::block_warp(), own);
  }

  template <uint32_t Warps, class T, class Op>
  COHORT_FN static T scan_few(uint32_t size, const T& own, Op& op, const char* what) {
    using cells = team_cells<T>;
    give_total(own);
    team_barrier::sync_team(size, what);
    detail::slot<T> totals[Warps];
    cells::read(totals, cells::given + team_shape::first_warp(size));
    team_barrier::sync_team(size, what);
    scan_prefix<T> prefix;
    prefix.add(totals, team_shape::warp(size), op);
    return prefix.before(own, op);
  }

  // Each warp looks at its own piece of the team first. One of them says what the piece has together.
  template <uint32_t Warps, uint32_t Piece, class T, class Op>
  COHORT_FN static T scan_pieces(uint32_t size, const T& own, Op& op, const char* what) {
    using cells = team_cells<T>;
    const uint32_t warp = team_shape::warp(size);
    give_total(own);
    team_barrier::sync_team(size, what);
    detail::slot<T> totals[Piece];
    cells::read(totals, cells::given + (team_shape::block_warp() & ~(Piece - 1u)));
    scan_prefix<T> prefix;
    prefix.add(totals, warp % Piece, op);
    if (team_barrier::block_rank() % (32 * Piece) == 0) {
      cells::write(cells::pieces(size) + warp / Piece, totals[0].value);
    }
    team_barrier::sync_team(size, what);
    detail::slot<T> pieces[Warps / Piece];
    cells::read(pieces, cells::pieces(size));
    prefix.add(pieces, warp / Piece, op);
    return prefix.before(own, op);
  }

  // Of any shape: the first warp scans the totals of all, a lane each. Afterwards each warp but the first finds what is
  // before it among what it received, and the scan of the thread before it, too.
  template <class T, class Op>
  COHORT_FN static void scan_any(uint32_t size, const T& own, Op& op, const char* what) {
    using cells = team_cells<T>;
    give_total(own);
    team_barrier::sync_team(size, what);
    if (team_shape::warp(size) == 0) {
      const uint32_t lane = identity::lane();
      const uint32_t count = team_shape::warps(size);
      T total = cells::read(cells::given + team_shape::block_warp() + (lane < count ? lane : 0));
      T scanned = tile::inclusive_scan_tile<32>(0, total, op, what);
      T before = shuffles::value_below<32>(0xffffffffu, scanned, 1);
      T last = total;
      combine_if(lane != 0, last, before, total, op);
      if (lane + 1 < count) {
        cells::write(cells::received + team_shape::block_warp() + lane + 1, scanned);
        cells::write(cells::also_received + team_shape::block_warp() + lane + 1, last);
      }
    }
    team_barrier::sync_team(size, what);
  }
};

}  // namespace ptx
}  // namespace cohort
