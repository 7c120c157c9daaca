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
  // combination of all.
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
      if (team_barrier::is_pair(size)) return scan_pair(value, op, what);
      const T own = tile::inclusive_scan_tile<32>(0, value, op, what);
      const uint32_t threads = team_shape::usual_threads(size);
      if (size == 0 && (threads == 1024 || threads == 512)) return scan_by_lanes(size, own, op);
      if (team_shape::is_usual(size, threads, 128)) return scan_few<4>(size, own, op);
      if (team_shape::is_usual(size, threads, 256)) return scan_pieces<8, 4>(size, own, op);
      if (team_shape::is_usual(size, threads, 512)) return scan_pieces<16, 4>(size, own, op);
      if (team_shape::is_usual(size, threads, 1024)) return scan_by_lanes(size, own, op);
      if (team_shape::is_usual(size, threads, 64)) return scan_few<2>(size, own, op);
      if constexpr (is_stateless_v<Op, T>) {
        return scan_apart<T, Op>(size, own);
      } else {
        return scan_any(size, own, op, what);
      }
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
      const T inclusive = tile::inclusive_scan_tile<32>(0, value, op, what);
      T below = shuffles::value_below<32>(0xffffffffu, inclusive, 1);
      const bool is_first = identity::lane() == 0;
      const team_shape shape(size);
      if (team_barrier::is_pair(size)) {
        const pair_of_warps pair = team_barrier::pair();
        T total = pair.swap(inclusive, is_last(), pair.exchanges());
        if (!pair.is_upper()) return is_first ? first : below;
        return is_first ? total : op(total, below);
      }
      pass_on(size, inclusive, op, what);
      if (shape.warp == 0) return is_first ? first : below;
      if (is_first) return team_cells<T>::read(team_cells<T>::also_received + shape.block_warp);
      T before = team_cells<T>::read(team_cells<T>::received + shape.block_warp);
      return op(before, below);
    }
  }

 private:
  struct parts : identity, shuffles, vote, lane_reduce, team {};
  using by_pieces = detail::derived_team<parts>;

  COHORT_FN static bool is_last() {
    return identity::lane() == 31 || team_barrier::block_rank() + 1 == team_barrier::block_size();
  }

  template <class T, class Op>
  COHORT_FN static T scan_pair(const T& value, Op& op, const char* what) {
    const pair_of_warps pair = team_barrier::pair();
    const uint32_t exchanges = pair.exchanges();
    T own = tile::inclusive_scan_tile<32>(0, value, op, what);
    T total = pair.swap(own, is_last(), exchanges);
    combine_if(pair.is_upper(), own, total, own, op);
    return own;
  }

  // The total of a warp is what its last lane has.
  template <class T>
  COHORT_FN static void give_total(const T& own, const team_shape& shape) {
    if (is_last()) team_cells<T>::write(team_cells<T>::given + shape.block_warp, own);
  }

  // Each warp looks at the totals of all.
  template <uint32_t Warps, class T, class Op>
  COHORT_FN static T scan_few(uint32_t size, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    give_total(own, shape);
    team_barrier::sync_whole_team(size);
    detail::slot<T> totals[Warps];
    cells::read(totals, cells::given + shape.first_warp);
    team_barrier::sync_whole_team(size);
    scan_prefix<T> prefix;
    prefix.add(totals, shape.warp, op);
    return prefix.before(own, op);
  }

  // Each warp scans the totals of all, a lane each. Lanes beyond them repeat the first.
  template <class T, class Op>
  COHORT_FN static T scan_by_lanes(uint32_t size, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t lane = identity::lane();
    give_total(own, shape);
    team_barrier::sync_whole_team(size);
    const T total = cells::read(cells::given + shape.first_warp + (lane & (team_shape::warps(size) - 1u)));
    team_barrier::sync_whole_team(size);
    const T scanned = tile::inclusive_scan_tile<32>(0, total, op, "");
    T before = shuffles::value_of(0xffffffffu, scanned, shape.warp - 1u);
    T mine = own;
    combine_if(shape.warp != 0, mine, before, mine, op);
    return mine;
  }

  // Each warp looks at its own piece of the team first. One of them says what the piece has together.
  template <uint32_t Warps, uint32_t Piece, class T, class Op>
  COHORT_FN static T scan_pieces(uint32_t size, const T& own, Op& op) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t place = shape.warp % Piece;
    give_total(own, shape);
    team_barrier::sync_whole_team(size);
    detail::slot<T> totals[Piece];
    cells::read(totals, cells::given + shape.block_warp - place);
    scan_prefix<T> prefix;
    prefix.add(totals, place, op);
    if (place == 0 && identity::lane() == 0) cells::write(cells::pieces(size) + shape.warp / Piece, totals[0].value);
    team_barrier::sync_whole_team(size);
    detail::slot<T> pieces[Warps / Piece];
    cells::read(pieces, cells::pieces(size));
    prefix.add(pieces, shape.warp / Piece, op);
    return prefix.before(own, op);
  }

  template <class T, class Op>
  COHORT_DEVICE static __attribute__((noinline)) T scan_apart(uint32_t size, T own) {
    typename detail::remove_cv<Op>::type op{};
    return scan_any(size, own, op, "");
  }

  // Of any shape.
  template <class T, class Op>
  COHORT_FN static T scan_any(uint32_t size, const T& own, Op& op, const char* what) {
    const team_shape shape(size);
    pass_on(size, own, op, what);
    if (shape.warp == 0) return own;
    T before = team_cells<T>::read(team_cells<T>::received + shape.block_warp);
    T mine = own;
    return op(before, mine);
  }

  // The first warp scans the totals of all, a lane each. Each warp but the first receives what is before it, and the
  // scan of the thread before it.
  template <class T, class Op>
  COHORT_FN static void pass_on(uint32_t size, const T& own, Op& op, const char* what) {
    using cells = team_cells<T>;
    const team_shape shape(size);
    const uint32_t lane = identity::lane();
    const uint32_t count = team_shape::warps(size);
    if (count == 1) return;
    give_total(own, shape);
    team_barrier::sync_team(size, what);
    if (shape.warp == 0) {
      T total = cells::read(cells::given + shape.block_warp + (lane < count ? lane : 0));
      T scanned = tile::inclusive_scan_tile<32>(0, total, op, what);
      T before = shuffles::value_below<32>(0xffffffffu, scanned, 1);
      T last = total;
      combine_if(lane != 0, last, before, total, op);
      if (lane + 1 < count) {
        cells::write(cells::received + shape.block_warp + lane + 1, scanned);
        cells::write(cells::also_received + shape.block_warp + lane + 1, last);
      }
    }
    team_barrier::sync_team(size, what);
  }
};

}  // namespace ptx
}  // namespace cohort
