// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole scan of lanes or of a team: one rendezvous, the order of derive.hpp, run once by the last thread.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "lane_values.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct scan {
  static constexpr bool has_lane_scan = true;
  static constexpr bool has_team_scan = true;

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    own_value<T, Op> mine(value, op, nullptr);
    cohort_wait_warp(mask, resolve_lanes<T, Op, false>, mine.operand(), what);
    return mine.result();
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* what) {
    own_value<T, Op> mine(value, op, &first);
    cohort_wait_warp(mask, resolve_lanes<T, Op, true>, mine.operand(), what);
    return mine.result();
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* what) {
    own_value<T, Op> mine(value, op, nullptr);
    cohort_wait_team(size, resolve_team<T, Op, false>, mine.operand(), what);
    return mine.result();
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* what) {
    own_value<T, Op> mine(value, op, &first);
    cohort_wait_team(size, resolve_team<T, Op, true>, mine.operand(), what);
    return mine.result();
  }

 private:
  // From the highest rank down, so that each step reads the values of the step before.
  template <class T, class Op>
  COHORT_FN static void steps(lane_values<T>& values, uint32_t count, Op& op) {
    for (uint32_t step = 1; step < count; step *= 2) {
      for (uint32_t rank = count; rank-- > step;) {
        const T sum = op(values[rank - step], values[rank]);
        detail::copy_value(values[rank], sum);
      }
    }
  }

  // Replaces the values of the lanes by their inclusive scan; returns the last lane.
  template <class T, class Op>
  COHORT_FN static uint32_t scan_lanes(uint32_t lanes, const waiting_values<T, Op>& waiting, Op& op) {
    lane_values<T> values;
    uint32_t count = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.take(count++, waiting[lane]); });
    if (lanes == all_lanes) {
      steps<T, Op>(values, 32, op);  // trip counts are constants
    } else {
      steps<T, Op>(values, count, op);
    }
    uint32_t rank = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.give_back(rank++, waiting[lane]); });
    return 31u - static_cast<uint32_t>(__builtin_clz(lanes));
  }

  // Moves each value to the next higher lane, from the top; the lowest one gets `first`.
  template <class T, class Op>
  COHORT_FN static void shift(uint32_t lanes, const waiting_values<T, Op>& waiting, const T& first) {
    for_each_lane_downwards(lanes, [&](uint32_t lane) {
      const uint32_t lower = lanes & ((1u << lane) - 1u);
      detail::copy_value(waiting[lane],
                         lower == 0 ? first : waiting[31u - static_cast<uint32_t>(__builtin_clz(lower))]);
    });
  }

  template <class T, class Op, bool Exclusive>
  COHORT_DEVICE static void resolve_lanes(uint32_t lanes, void* const* operands) {
    const uint32_t first = static_cast<uint32_t>(__builtin_ctz(lanes));
    const auto waiting = waiting_values<T, Op>::of(operands, first);
    const combined<T, Op>& lowest = operand_of<combined<T, Op>>(operands, first);
    scan_lanes(lanes, waiting, *lowest.op);
    if constexpr (Exclusive) shift(lanes, waiting, *lowest.first);
  }

  template <class T, class Op, bool Exclusive>
  COHORT_DEVICE static void resolve_team(uint32_t count, void* const* operands) {
    const uint32_t first = first_present(operands);
    const auto waiting = waiting_values<T, Op>::of(operands, first);
    const combined<T, Op>& lowest = operand_of<combined<T, Op>>(operands, first);
    Op& op = *lowest.op;
    uint32_t lanes[32];
    uint32_t last[32];  // by warp: its last thread
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      lanes[warp] = lanes_of_warp(warp, count, operands);
      if (lanes[warp] != 0) last[warp] = 32 * warp + scan_lanes(lanes[warp], waiting.from(32 * warp), op);
    }
    add_totals_before(count, lanes, last, waiting, op);
    if constexpr (Exclusive) {
      for (uint32_t warp = (count + 31) / 32; warp-- > 0;) {
        if (lanes[warp] == 0) continue;
        uint32_t before = warp;
        while (before != 0 && lanes[before - 1] == 0) --before;
        shift(lanes[warp], waiting.from(32 * warp), before == 0 ? *lowest.first : waiting[last[before - 1]]);
      }
    }
  }

  // Scans the totals of the warps, and combines each thread's value with the total of the warps before. The totals are
  // copies: large values too are wanted as they were.
  template <class T, class Op>
  COHORT_FN static void add_totals_before(uint32_t count, const uint32_t* lanes, const uint32_t* last,
                                          const waiting_values<T, Op>& waiting, Op& op) {
    lane_values<T, true> totals;
    uint32_t warps = 0;
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      if (lanes[warp] != 0) totals.take(warps++, waiting[last[warp]]);
    }
    for (uint32_t step = 1; step < warps; step *= 2) {
      for (uint32_t rank = warps; rank-- > step;) {
        const T sum = op(totals[rank - step], totals[rank]);
        detail::copy_value(totals[rank], sum);
      }
    }
    uint32_t rank = 0;
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      if (lanes[warp] == 0 || rank++ == 0) continue;
      for_each_lane(lanes[warp], [&](uint32_t lane) {
        T& value = waiting[32 * warp + lane];
        const T sum = op(totals[rank - 2], value);
        detail::copy_value(value, sum);
      });
    }
  }
};

}  // namespace cpu
}  // namespace cohort
