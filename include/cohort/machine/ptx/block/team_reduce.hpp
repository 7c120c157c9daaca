// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a block and of tiles above 32 threads: each warp reduces its lanes, then the warps' partials are
// combined.
//
// Combining a few values in registers is faster than exchanging one between lanes. So each thread reads the partials of
// several warps at once. docs/design/ptx.md has the measurements, and the benchmark row of each special case.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/op.hpp"
#include "../../../base/types.hpp"
#include "../../contract/concept.hpp"
#include "../identity.hpp"
#include "../optimizer_barrier.hpp"
#include "../redux.hpp"
#include "../select.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"
#include "../warp/tile_reduce.hpp"
#include "any_shape.hpp"
#include "combine.hpp"
#include "large_values.hpp"
#include "leader_phase.hpp"
#include "partial_pair.hpp"
#include "team_barrier.hpp"
#include "team_shape.hpp"
#include "team_slots.hpp"
#include "warp_pair_channel.hpp"

namespace cohort {
namespace ptx {

struct team_reduce {
  static constexpr bool has_team_reduce = true;

  /// Reduction of a team. The order of the tests is measured: docs/design/ptx.md.
  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    if constexpr (sizeof(T) > 16) {
      return large_values::reduce_team(size, value, op, op_name);
    } else {
      if (size == 64) {
        if (team_barrier::is_full_warp_pair(size)) return reduce_pair(value, op);
        if (pin_here(!team_barrier::has_full_hardware_teams(size))) return reduce_partial_pair(value, op);
        return reduce_at_once<2, 1>(size, 2, reduce_warp(value, op), op);
      }
      const uint32_t warps = team_shape::full_warps(size);
      if constexpr (prefers_reads<T, Op>) {
        // These branches are free: they execute during the latency of an exchange. COHORT_KEEP_BRANCH keeps them there.
        const T other = shuffles::value_across<1>(0xffffffffu, value);
        if (size == whole_block && (warps == 0 || warps % 8 != 0)) {
          COHORT_KEEP_BRANCH("not full groups of 8 warps");
          const T pair = tile_reduce::combine_across<1>(value, other, op);
          const T other_pair = shuffles::value_across<2>(0xffffffffu, pair);
          if (warps - 1u >= 4) return reduce_any_shape(size, value, op);
          COHORT_KEEP_BRANCH("up to 4 warps");
          const T quad = tile_reduce::combine_across<2>(pair, other_pair, op);
          return reduce_at_once<4, 4>(size, warps, tile_reduce::reduce_full<8, 4>(quad, op), op);
        }
        if (size != whole_block && warps == 0) return reduce_any_shape(size, value, op);
        COHORT_KEEP_BRANCH("full groups of 8 warps, or a tile");
        const T pair = tile_reduce::combine_across<1>(value, other, op);
        if (size == 128) return reduce_at_once<4, 1>(size, warps, tile_reduce::reduce_full<32, 2>(pair, op), op);
        return reduce_by_groups<2>(size, warps, tile_reduce::reduce_full<16, 2>(pair, op), op);
      } else {
        if (warps == 0 || (warps > 8 && warps % 8 != 0)) return reduce_any_shape(size, value, op);
        const T own = reduce_warp(value, op);
        if (size == 128) return reduce_at_once<4, 1>(size, warps, own, op);
        if (size == whole_block && warps <= 8) return reduce_at_once<8, 1>(size, warps, own, op);
        return reduce_by_groups<1>(size, warps, own, op);
      }
    }
  }

 private:
  /// True if reading more partials takes less time than combining more lanes.
  template <class T, class Op>
  static constexpr bool prefers_reads = sizeof(T) <= 4 && detail::commutes_v<Op, T> && !redux::supports<T, Op>;

  template <class T, class Op>
  COHORT_FN static T reduce_any_shape(uint32_t size, const T& value, Op& op) {
    return cold_path::run<any_shape_reduce>(size, value, op);
  }
  template <class T, class Op>
  COHORT_FN static T reduce_partial_pair(const T& value, Op& op) {
    return cold_path::run<partial_pair_reduce>(64, value, op);
  }

  template <class T, class Op>
  COHORT_FN static T reduce_pair(const T& value, Op& op) {
    const warp_pair_channel pair;
    const uint32_t number = pair.next_exchange();
    const T own = reduce_warp(value, op);
    const T other = pair.swap(own, number);
    const bool is_upper = !detail::commutes_v<Op, T> && pair.is_upper();
    T lower = select(is_upper, other, own);
    T upper = select(is_upper, own, other);
    return op(lower, upper);
  }

  /// Reduction of the caller's warp.
  /// @pre the warp has 32 lanes
  template <class T, class Op>
  COHORT_FN static T reduce_warp(const T& value, Op& op) {
    if constexpr (redux::supports<T, Op>)
      return redux::reduce<Op>(0xffffffffu, value);
    else
      return tile_reduce::reduce_full<32>(value, op);
  }

  /// Publishes `Values` partials of each warp. `own` is the partial of the caller's segment of 32 / Values lanes. All
  /// lanes of a segment write the same value: electing one would cost an instruction or two.
  template <uint32_t Values, class Op, class T>
  COHORT_FN static void publish(const T& own) {
    using slots = team_slots<T>;
    constexpr uint32_t lanes = 32 / Values;
    const uint32_t segment = identity::block_thread_rank() / lanes;
    const uint32_t slot = Values == 2 ? (segment & ~15u) + slots::swizzle(segment & 15u) : segment;
    if (detail::is_stateless_v<Op, T> || identity::kept_lane() % lanes == 0)
      slots::write(slots::template partials<Values>() + slot, own);
  }

  /// Each warp combines the partials of all warps.
  template <uint32_t Warps, uint32_t Values, class T, class Op>
  COHORT_FN static T reduce_at_once(uint32_t size, uint32_t warps, const T& own, Op& op) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    detail::slot<T> values[Warps * Values];
    publish<Values, Op>(own);
    {
      const leader_phase phase(sync_full_team_of{size});
      slots::read(values, slots::template partials<Values>() + shape.first_warp * Values);
    }
    if (size == whole_block && warps != Warps) return combine_first_values<Values>(values, opaque(warps), op);
    COHORT_KEEP_BRANCH("all warps exist");
    return combine_values(values, op);
  }

  /// One leader warp for each group of 8 warps combines the partials of its group; then each warp combines the totals.
  /// @pre the team consists of full groups of 8 warps
  template <uint32_t Values, class T, class Op>
  COHORT_FN static T reduce_by_groups(uint32_t size, uint32_t warps, const T& own, Op& op) {
    using slots = team_slots<T>;
    const team_shape shape(size);
    const uint32_t groups = warps / 8u, group = shape.led_segment(8);
    const bool is_leader = vote::all(group < groups);
    publish<Values, Op>(own);
    {
      const leader_phase phase(sync_full_team_of{size});
      if (is_leader) {
        const uint32_t lane = opaque(identity::kept_lane());
        detail::slot<T> values[8 * Values];
        const uint32_t first = slots::template partials<Values>() + (shape.first_warp + 8 * group) * Values;
        if constexpr (Values == 2) {
          slots::read_swizzled(values, first);
        } else {
          slots::read(values, first);
        }
        if constexpr (detail::commutes_v<Op, T>) {
          // The last leader also fills the totals of groups that a smaller block does not have.
          if (size == whole_block && group + 1 == groups && lane - 1u < 4u - groups) {
            slots::write(slots::group_totals(size) + group + lane, detail::identity_element<Op, T>());
          }
        }
        const T total = combine_values(values, op);
        if (lane == 0) slots::write(slots::group_totals(size) + group, total);
      }
    }
    if (size == 256) return slots::read(slots::group_totals(size));
    if (size == 512) {
      detail::slot<T> totals[2];
      slots::read(totals, slots::group_totals(size));
      return combine_values(totals, op);
    }
    detail::slot<T> totals[4];
    slots::read(totals, slots::group_totals(size));
    if (groups == 1) return totals[0].value;
    COHORT_KEEP_BRANCH("more than 256 threads");
    return detail::commutes_v<Op, T> ? combine_values(totals, op) : combine_first_values<1>(totals, groups, op);
  }
};

}  // namespace ptx
}  // namespace cohort
