// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of a block and of tiles above 32 threads: each warp leaves one value in shared memory, all meet,
// and every warp combines the values of all warps by itself.
#pragma once

#include <stdint.h>

#include "../../base/bits.hpp"
#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "../derive_team.hpp"
#include "identity.hpp"
#include "known_op.hpp"
#include "lane_reduce.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "team_barrier.hpp"
#include "team_values.hpp"
#include "tile.hpp"
#include "vote.hpp"
#include "words.hpp"

namespace cohort {
namespace ptx {

struct team_reduce {
  static constexpr bool has_team_reduce = true;
  static constexpr bool has_team_scan = true;

  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* what) {
    if constexpr (!fits<T>) {
      return by_pieces::reduce_team(size, value, op, what);
    } else {
      if (has_whole_tiles(size)) return reduce_whole(size, size / 32u, value, op, what);
      if (size == 0 && has_whole_tiles(32)) return reduce_whole(0, team_barrier::block_size() / 32u, value, op, what);
      const T mine = tile::reduce_tile<32>(lanes_of_warp(), value, op, what);
      const team_values<T> values(size, mine, identity::lane() == 0, what);
      T total = values.mine();
      if (values.combines()) detail::copy_value(total, reduce_values(values, op));
      return values.result_of(total, 0);
    }
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* what) {
    if constexpr (!fits<T>) {
      return by_pieces::inclusive_scan_team(size, value, op, what);
    } else {
      T mine = tile::inclusive_scan_tile<32>(0, value, op, what);
      const team_values<T> values(size, mine, is_last_lane(), what);
      const uint32_t warp = values.own();
      T before = values.result_of(scan_values(values, op), warp == 0 ? 0 : warp - 1u);
      combine_if(warp != 0, mine, before, mine, op);
      return mine;
    }
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* what) {
    if constexpr (!fits<T>) {
      return by_pieces::exclusive_scan_team(size, value, first, op, what);
    } else if constexpr (is_invertible_v<Op, T>) {
      const T inclusive = inclusive_scan_team(size, value, op, what);
      return team_barrier::block_rank() == team_barrier::first_of(size) ? first : take_away<Op>(inclusive, value);
    } else {
      const T inclusive = tile::inclusive_scan_tile<32>(0, value, op, what);
      T mine = shuffles::value_below<32>(0xffffffffu, inclusive, 1);
      const team_values<T> values(size, inclusive, is_last_lane(), what);
      const uint32_t warp = values.own();
      // The first lane of a warp goes on where the warp before ends: with that warp's total.
      const bool is_first = identity::lane() == 0;
      if (warp != 0) {
        T total = values.previous();
        if (is_first) detail::copy_value(mine, total);
      }
      const uint32_t passed = is_first ? 2u : 1u;
      T before = values.result_of(scan_values(values, op), warp < passed ? 0 : warp - passed);
      combine_if(warp >= passed, mine, before, mine, op);
      return is_first && warp == 0 ? first : mine;
    }
  }

 private:
  template <class T>
  static constexpr bool fits = sizeof(T) <= 16;

  struct parts : identity, shuffles, vote, lane_reduce, team {};
  using by_pieces = detail::derived_team<parts>;

  // The block is made of whole tiles of so many threads. The same for all threads of the block.
  COHORT_FN static bool has_whole_tiles(uint32_t size) { return size != 0 && team_barrier::block_size() % size == 0; }

  // The whole reduction where all warps have 32 lanes: each lane reads the values of several warps at once and combines
  // them, and few exchanges are left, among as many lanes as are needed; the other lanes do the same as these.
  template <class T, class Op>
  COHORT_FN static T reduce_whole(uint32_t size, uint32_t count, const T& value, Op& op, const char* what) {
    constexpr uint32_t several = sizeof(T) <= 4 ? 8 : sizeof(T) <= 8 ? 4 : 2;
    const T own = tile::reduce_tile<32>(0xffffffffu, value, op, what);
    detail::slot<T>* cells =
        reinterpret_cast<detail::slot<T>*>(team::thread_words() + team_barrier::first_of(size));
    const uint32_t lane = identity::lane();
    const uint32_t warp = (team_barrier::block_rank() - team_barrier::first_of(size)) / 32u;
    if (lane == 0) detail::copy_value(cells[warp].value, own);
    team_barrier::sync_team(size, what);
    uint32_t pieces = 1;  // a power of two
#pragma unroll
    for (uint32_t i = 1; i < 32u / several; i *= 2) {
      if (i * several < count) pieces = 2 * i;
    }
    const uint32_t piece = lane & (pieces - 1u);
    const uint32_t first = piece * several < count ? piece * several : 0;
    detail::slot<T> values[several];
    read_several(values, cells + first);
    team_barrier::sync_team(size, what);
#pragma unroll
    for (uint32_t step = 1; step < several; step *= 2) {
#pragma unroll
      for (uint32_t i = 0; i < several; i += 2 * step) {
        combine_if(first + i + step < count, values[i].value, values[i].value, values[i + step].value, op);
      }
    }
    T mine = values[0].value;
#pragma unroll
    for (uint32_t step = 1; step < 32u / several; step *= 2) {
      if (step * several >= count) break;
      T other = shuffles::value_of(0xffffffffu, mine, lane ^ step);
      const bool has_own = (piece & ~(step - 1u)) * several < count;
      const bool has_other = ((piece ^ step) & ~(step - 1u)) * several < count;
      const bool is_higher = !commutes_v<Op, T> && (lane & step) != 0;
      T left = is_higher ? other : mine;
      T right = is_higher ? mine : other;
      if (!has_own) detail::copy_value(mine, other);
      combine_if(has_own && has_other, mine, left, right, op);
    }
    return mine;
  }

  template <class T, uint32_t Count>
  COHORT_FN static void read_several(detail::slot<T> (&values)[Count], const detail::slot<T>* cells) {
    if constexpr (sizeof(values) % 16 == 0) {
      uint4 words[sizeof(values) / 16];
#pragma unroll
      for (uint32_t i = 0; i < sizeof(values) / 16; ++i) words[i] = reinterpret_cast<const uint4*>(cells)[i];
      COHORT_COPY_BYTES(static_cast<void*>(values), words, sizeof(values));
    } else {
#pragma unroll
      for (uint32_t i = 0; i < Count; ++i) detail::copy_value(values[i].value, cells[i].value);
    }
  }

  COHORT_FN static uint32_t lanes_of_warp() {
    return detail::low_bits(team_barrier::block_size() - (team_barrier::block_rank() & ~31u));
  }
  COHORT_FN static bool is_last_lane() {
    return identity::lane() == 31 || team_barrier::block_rank() + 1 == team_barrier::block_size();
  }

  // pre: values.combines(). Lane 0 gets the result.
  template <class T, class Op>
  COHORT_FN static T reduce_values(const team_values<T>& values, Op& op) {
    const uint32_t lane = identity::lane();
    T mine = values.mine();
    if constexpr (redux::takes<T, Op>) {
      // Lanes above the last warp have the first one's value: only sums must not count it again.
      if (is_invertible_v<Op, T> && lane >= values.count()) mine = T{};
      return redux::reduce<Op>(0xffffffffu, mine);
    } else {
#pragma unroll
      for (uint32_t step = 1; step < 32; step *= 2) {
        if (step >= values.count()) break;
        T other = shuffles::value_of(0xffffffffu, mine, lane + step);
        combine_if(lane + step < values.count(), mine, mine, other, op);
      }
      return mine;
    }
  }

  // Lane i gets the scan of the values 0 to i.
  template <class T, class Op>
  COHORT_FN static T scan_values(const team_values<T>& values, Op& op) {
    const uint32_t lane = identity::lane();
    T mine = values.mine();
    if (!values.combines()) return mine;
#pragma unroll
    for (uint32_t step = 1; step < 32; step *= 2) {
      if (step >= values.count()) break;
      T other = shuffles::value_of(0xffffffffu, mine, (lane & ~(step - 1u)) - 1u);
      combine_if((lane & step) != 0, mine, other, mine, op);
    }
    return mine;
  }
};

}  // namespace ptx
}  // namespace cohort
