// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole reduction of lanes or of a team: one rendezvous, the tree of derive.hpp, run once by the last thread.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "lane_values.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct reduce {
  static constexpr bool has_lane_reduce = true;
  static constexpr bool has_team_reduce = true;

  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    own_value<T, Op> mine(value, op, nullptr);
    cohort_wait_warp(mask, resolve_lanes<T, Op>, mine.operand(), what);
    return mine.result();
  }

  template <class T, class Op>
  COHORT_FN static T reduce_team(uint32_t size, const T& value, Op& op, const char* what) {
    own_value<T, Op> mine(value, op, nullptr);
    cohort_wait_team(size, resolve_team<T, Op>, mine.operand(), what);
    return mine.result();
  }

 private:
  // The tree over `Count` lanes from `First` on, a power of two, with all values in registers.
  template <uint32_t First, uint32_t Count, class T, class Op>
  COHORT_FN static T combine_full(const waiting_values<T, Op>& values, Op& op) {
    if constexpr (Count == 1) {
      return values[First];
    } else {
      T lower = combine_full<First, Count / 2, T, Op>(values, op);
      T higher = combine_full<First + Count / 2, Count / 2, T, Op>(values, op);
      return op(lower, higher);
    }
  }

  // The tree over ranks 0 .. count - 1; the result is rank 0's.
  template <class T, class Op>
  COHORT_FN static void combine_some(lane_values<T>& values, uint32_t count, Op& op) {
    for (uint32_t step = 1; step < count; step *= 2) {
      for (uint32_t rank = 0; rank + step < count; rank += 2 * step) {
        const T sum = op(values[rank], values[rank + step]);
        detail::copy_value(values[rank], sum);
      }
    }
  }

  // Replaces the value of the first lane by the combination of all.
  template <class T, class Op>
  COHORT_FN static void combine_lanes(uint32_t lanes, const waiting_values<T, Op>& waiting, Op& op) {
    constexpr bool is_small = sizeof(T) <= 32;
    if (is_small && lanes == all_lanes) {
      const T result = combine_full < 0, is_small ? 32 : 1, T, Op > (waiting, op);
      detail::copy_value(waiting[0], result);
      return;
    }
    if (lanes == 0) __builtin_unreachable();
    lane_values<T> values;
    uint32_t count = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.take(count++, waiting[lane]); });
    combine_some(values, count, op);
    values.give_back(0, waiting[static_cast<uint32_t>(__builtin_ctz(lanes))]);
  }

  template <class T, class Op>
  COHORT_FN static void spread(uint32_t lanes, const waiting_values<T, Op>& waiting, const T& result) {
    if constexpr (sizeof(T) <= 32) {
      const T copy = result;  // in registers, for the stores may not change it
      for_each_lane(lanes, [&](uint32_t lane) { detail::copy_value(waiting[lane], copy); });
    } else {
      for_each_lane(lanes, [&](uint32_t lane) {
        if (&waiting[lane] != &result) detail::copy_value(waiting[lane], result);
      });
    }
  }

  template <class T, class Op>
  COHORT_DEVICE static void resolve_lanes(uint32_t lanes, void* const* operands) {
    const uint32_t first = static_cast<uint32_t>(__builtin_ctz(lanes));
    const auto waiting = waiting_values<T, Op>::of(operands, first);
    combine_lanes(lanes, waiting, *operand_of<combined<T, Op>>(operands, first).op);
    spread(lanes, waiting, waiting[first]);
  }

  template <class T, class Op>
  COHORT_DEVICE static void resolve_team(uint32_t count, void* const* operands) {
    const uint32_t first = first_present(operands);
    const auto waiting = waiting_values<T, Op>::of(operands, first);
    Op& op = *operand_of<combined<T, Op>>(operands, first).op;
    lane_values<T> totals;
    uint32_t lanes[32];
    uint32_t warps = 0;
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      lanes[warp] = lanes_of_warp(warp, count, operands);
      if (lanes[warp] == 0) continue;
      combine_lanes(lanes[warp], waiting.from(32 * warp), op);
      totals.take(warps++, waiting[32 * warp + static_cast<uint32_t>(__builtin_ctz(lanes[warp]))]);
    }
    combine_some(totals, warps, op);
    for (uint32_t warp = 0; 32 * warp < count; ++warp) spread(lanes[warp], waiting.from(32 * warp), totals[0]);
  }
};

}  // namespace cpu
}  // namespace cohort
