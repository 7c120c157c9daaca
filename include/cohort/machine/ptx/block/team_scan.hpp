// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of a block and of tiles above 32 threads: each warp scans its lanes, then prepends the total of the warps
// before it. docs/design/ptx.md has the measurements, and the benchmark row of each special case.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../../contract/concept.hpp"
#include "../identity.hpp"
#include "../optimizer_barrier.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"
#include "../warp/tile_scan.hpp"
#include "any_shape.hpp"
#include "large_values.hpp"
#include "leader_phase.hpp"
#include "partial_pair.hpp"
#include "scan_prefix.hpp"
#include "team_barrier.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"
#include "warp_pair_channel.hpp"
#include "warp_totals.hpp"

namespace cohort {
namespace ptx {

struct team_scan {
  static constexpr bool has_team_scan = true;

  /// Inclusive scan of a team. The order of the tests is measured: docs/design/ptx.md.
  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    if constexpr (sizeof(T) > 16) {
      return large_values::inclusive_scan_team(size, value, op, op_name);
    } else {
      if (size == 64) {
        if (team_barrier::is_full_warp_pair(size)) return scan_pair(value, op);
        if (pin_here(!team_barrier::has_full_hardware_teams(size))) return scan_partial_pair(value, op);
        return warp_totals::scan_at_once<2>(size, warp_totals::scan_warp(value, op), op);
      }
      // These branches are free: they execute during the latency of an exchange. COHORT_KEEP_BRANCH keeps them there.
      const uint32_t warps = team_shape::full_warps(size);
      const T other = shuffles::value_of<2>(0xffffffffu, value, 0);
      if (size == whole_block && warps <= 8) {
        if (warps == 0) return scan_any_shape(size, value, op);
        COHORT_KEEP_BRANCH("a block of up to 256 threads");
        return warp_totals::scan_at_once<8>(size, scan_warp_from_2(value, other, op), op);
      }
      if (size == 128 && warps == 0) return cold_path::run<any_shape_scan_128>(size, value, op);
      if (size != whole_block && warps == 0) return scan_any_shape(size, value, op);
      COHORT_KEEP_BRANCH("more than 256 threads, or a tile");
      const T own = scan_warp_from_2(value, other, op);
      if (size == 128) return warp_totals::scan_at_once<4>(size, own, op);
      if (size == 512) return scan_by_segments<16>(size, warps, own, op);
      return scan_by_segments<8>(size, warps, own, op);
    }
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* op_name) {
    if constexpr (sizeof(T) > 16) {
      return large_values::exclusive_scan_team(size, value, first, op, op_name);
    } else if constexpr (detail::is_invertible_v<Op, T>) {
      const T inclusive = inclusive_scan_team(size, value, op, op_name);
      return identity::block_thread_rank() == team_barrier::first_thread(size)
                 ? first
                 : detail::apply_inverse<Op>(inclusive, value);
    } else {
      const T inclusive = tile_scan::inclusive_scan_tile<32>(0, value, op, op_name);
      T below = shuffles::value_below<32>(0xffffffffu, inclusive, 1);
      const bool is_first = identity::kept_lane() == 0;
      const team_shape shape(size);
      if (size == 64) {
        T total = team_barrier::is_full_warp_pair(size) ? swap_totals(inclusive) : read_lower_total(size, inclusive);
        if (shape.warp == 0) return is_first ? first : below;
        return is_first ? total : op(total, below);
      }
      warp_totals::scan<false>(size, inclusive, op, [&] { team_barrier::sync_hardware(size); });
      if (shape.warp == 0) return is_first ? first : below;
      if (is_first) return team_slots<T>::read(team_slots<T>::first_lane_results + shape.block_warp);
      T before = team_slots<T>::read(team_slots<T>::results + shape.block_warp);
      return op(before, below);
    }
  }

 private:
  template <class T, class Op>
  COHORT_FN static T scan_any_shape(uint32_t size, const T& value, Op& op) {
    return cold_path::run<any_shape_scan>(size, value, op);
  }
  template <class T, class Op>
  COHORT_FN static T scan_partial_pair(const T& value, Op& op) {
    return cold_path::run<partial_pair_scan>(64, value, op);
  }

  template <class T, class Op>
  COHORT_FN static T scan_pair(const T& value, Op& op) {
    const warp_pair_channel pair;
    const uint32_t number = pair.next_exchange();
    T own = warp_totals::scan_warp(value, op);
    T total = pair.swap(own, number);
    // An arithmetic operator costs less than a branch: combine in both warps and select.
    if constexpr (detail::is_stateless_v<Op, T> && (detail::is_integral_v<T> || detail::is_floating_v<T>))
      return select(pair.is_upper(), op(total, own), own);
    combine_if(pair.is_upper(), own, total, own, op);
    return own;
  }

  /// Swaps the totals of a full warp pair.
  template <class T>
  COHORT_FN static T swap_totals(const T& inclusive) {
    const warp_pair_channel pair;
    return pair.swap(inclusive, pair.next_exchange());
  }
  /// Total of the lower warp of a pair that may be partial.
  template <class T>
  COHORT_FN static T read_lower_total(uint32_t size, const T& inclusive) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    warp_totals::publish(inclusive, shape);
    const leader_phase phase(sync_team_of{size});
    return slots::read(slots::template partials<1>() + shape.first_warp);
  }

  /// Inclusive scan of a full warp whose first exchange has taken place.
  /// @param other value of the lower lane of the caller's pair of lanes
  template <class T, class Op>
  COHORT_FN static T scan_warp_from_2(const T& value, const T& other, Op& op) {
    const uint32_t twice_lane = pin_here(2 * identity::kept_lane());
    return tile_scan::scan<32, 2>(0xffffffffu, tile_scan::scan_across<1>(value, other, twice_lane, op), twice_lane, op);
  }

  /// One leader warp for each segment of `Warps` warps computes the warps' prefixes, one in each lane. With several
  /// segments it also computes the segment's total, and each warp prepends the totals of the segments before its own.
  /// @param own inclusive scan of the caller's warp
  template <uint32_t Warps, class T, class Op>
  COHORT_FN static T scan_by_segments(uint32_t size, uint32_t warps, const T& own, Op& op) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    const uint32_t segments = (warps + Warps - 1u) / Warps, segment = shape.led_segment(Warps);
    const bool is_only = size == 32u * Warps;  // one segment is the whole team
    const bool is_leader = vote::all(segment < segments);
    warp_totals::publish(own, shape);
    {
      const leader_phase phase(sync_full_team_of{size});
      if (is_leader) {
        const uint32_t lane = identity::kept_lane(), first = shape.first_warp + Warps * segment,
                       count = warps - Warps * segment;
        // An arbitrary operator must not receive values of slots that no warp has written.
        const uint32_t position = detail::commutes_v<Op, T> || lane <= (count < Warps ? count : Warps) ? lane : 0;
        scan_prefix<T, Op> prefix;
        if (is_only) {
          prefix.template prepend<Warps>(slots::template partials<1>() + first, position, op);
          if (opaque(lane) < Warps) slots::write(slots::results + first + lane, prefix.value());
        } else {
          // The prefix of the position after the last warp is the total of the segment.
          prefix.template prepend<Warps, Warps>(slots::template partials<1>() + first, position, op);
          const uint32_t slot = lane == Warps ? slots::group_totals(size) + segment : slots::results + first + lane;
          if (opaque(lane) <= Warps) slots::write(slot, prefix.value());
        }
      }
    }
    scan_prefix<T, Op> prefix(slots::read(slots::results + shape.block_warp), shape.warp % Warps != 0);
    if (!is_only) prefix.template prepend<4>(slots::group_totals(size), shape.warp / Warps, op);
    return prefix.prepended_without_branch(own, op);
  }
};

}  // namespace ptx
}  // namespace cohort
