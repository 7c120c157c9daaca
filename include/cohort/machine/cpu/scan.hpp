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
  template <class T, class Op>
  COHORT_FN static void combine_one(T& left, T& value, Op& op) {
    const T sum = op(left, value);
    detail::copy_value(value, sum);
  }

  // The scan of ranks 0 .. count - 1: at each step, half of the ranks take the same value as their neighbours do.
  template <class T, class Values, class Op>
  COHORT_FN static void steps(Values& values, uint32_t count, Op& op) {
    for (uint32_t step = 1; step < count; step *= 2) {
      COHORT_ONE_BY_ONE
      for (uint32_t begin = step; begin < count; begin += 2 * step) {
        T left = values[begin - 1];
        const uint32_t end = count - begin < step ? count : begin + step;
        if constexpr (sizeof(T) > 8) {
          COHORT_ONE_BY_ONE
          for (uint32_t rank = begin; rank < end; ++rank) combine_one(left, values[rank], op);
        } else {
          for (uint32_t rank = begin; rank < end; ++rank) combine_one(left, values[rank], op);
        }
      }
    }
  }

  // Replaces the values of the lanes by their scan.
  template <bool Exclusive, class T, class Op>
  COHORT_FN static void scan_lanes(uint32_t lanes, const waiting_values<T, Op>& waiting, Op& op, const T* first) {
    if constexpr (sizeof(T) > 8) {
      if (lanes == all_lanes) {  // not worth a copy
        steps<T>(waiting, 32, op);
        if constexpr (Exclusive) shift(lanes, waiting, *first);
        return;
      }
    }
    lane_values<T> values;
    uint32_t count = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.take(count++, waiting[lane]); });
    if (lanes == all_lanes) {
      steps<T>(values, 32, op);  // trip counts are constants
    } else {
      steps<T>(values, count, op);
    }
    if constexpr (Exclusive && sizeof(T) <= 32) {
      detail::slot<T> before[33];
      detail::copy_value(before[0].value, *first);
      for (uint32_t rank = 0; rank < count; ++rank) detail::copy_value(before[rank + 1].value, values[rank]);
      uint32_t rank = 0;
      for_each_lane(lanes, [&](uint32_t lane) { detail::copy_value(waiting[lane], before[rank++].value); });
    } else {
      uint32_t rank = 0;
      for_each_lane(lanes, [&](uint32_t lane) { values.give_back(rank++, waiting[lane]); });
      if constexpr (Exclusive) shift(lanes, waiting, *first);
    }
  }

  // Moves each value to the next higher lane, from the top; the lowest one gets `first`.
  template <class T, class Op>
  COHORT_FN static void shift(uint32_t lanes, const waiting_values<T, Op>& waiting, const T& first) {
    if (lanes == all_lanes) {
      COHORT_ONE_BY_ONE
      for (uint32_t lane = 31; lane > 0; --lane) detail::copy_value(waiting[lane], waiting[lane - 1]);
      detail::copy_value(waiting[0], first);
      return;
    }
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
    scan_lanes<Exclusive>(lanes, waiting, *lowest.op, lowest.first);
  }

  // The warps of a team one after another, each in registers: its scan, what is before it, and back.
  template <bool Exclusive, class T, class Op>
  COHORT_FN static void scan_warps(uint32_t count, void* const* operands, const waiting_values<T, Op>& waiting, Op& op,
                                   const T* first) {
    lane_values<T> halves;  // at k: the total of 2^k warps, where that bit of the number of warps so far is set
    detail::slot<T> shifted;
    if constexpr (Exclusive) detail::copy_value(shifted.value, *first);
    uint32_t warps = 0;
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      const uint32_t lanes = lanes_of_warp(warp, count, operands);
      if (lanes == 0) continue;
      const waiting_values<T, Op> places = waiting.from(32 * warp);
      detail::slot<T> room[33];  // from 1 on; an exclusive scan goes back from 0 on
      T* const values = &room[1].value;
      uint32_t size = 0;
      for_each_lane(lanes, [&](uint32_t lane) { detail::copy_value(values[size++], places[lane]); });
      if (lanes == all_lanes) {
        steps<T>(values, 32, op);
      } else {
        steps<T>(values, size, op);
      }
      detail::slot<T> total;
      detail::copy_value(total.value, values[size - 1]);
      if (warps != 0) {
        T before = before_warp<T>(halves, warps, op);
        for (uint32_t rank = 0; rank < size; ++rank) combine_one(before, values[rank], op);
      }
      if constexpr (Exclusive) {
        detail::copy_value(room[0].value, shifted.value);
        detail::copy_value(shifted.value, values[size - 1]);
      }
      uint32_t rank = Exclusive ? 0 : 1;
      for_each_lane(lanes, [&](uint32_t lane) { detail::copy_value(places[lane], room[rank++].value); });
      uint32_t level = 0;
      for (; ((warps >> level) & 1u) != 0; ++level) {
        const T sum = op(halves[level], total.value);
        detail::copy_value(total.value, sum);
      }
      halves.take(level, total.value);
      ++warps;
    }
  }

  // The scan of the totals of `warps` warps, at the last of them: which is their tree.
  template <class T, class Op>
  COHORT_FN static T before_warp(lane_values<T>& halves, uint32_t warps, Op& op) {
    uint32_t level = static_cast<uint32_t>(__builtin_ctz(warps));
    T before = halves[level];
    for (++level; (warps >> level) != 0; ++level) {
      if (((warps >> level) & 1u) == 0) continue;
      const T sum = op(halves[level], before);
      detail::copy_value(before, sum);
    }
    return before;
  }

  template <class T, class Op, bool Exclusive>
  COHORT_DEVICE static void resolve_team(uint32_t count, void* const* operands) {
    const uint32_t first = first_present(operands);
    const auto waiting = waiting_values<T, Op>::of(operands, first);
    const combined<T, Op>& lowest = operand_of<combined<T, Op>>(operands, first);
    Op& op = *lowest.op;
    if constexpr (sizeof(T) <= 8) {
      scan_warps<Exclusive>(count, operands, waiting, op, lowest.first);
      return;
    }
    uint32_t lanes[32];
    uint32_t last[32];  // by warp: its last thread
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      lanes[warp] = lanes_of_warp(warp, count, operands);
      if (lanes[warp] == 0) continue;
      scan_lanes<false>(lanes[warp], waiting.from(32 * warp), op, lowest.first);
      last[warp] = 32 * warp + 31u - static_cast<uint32_t>(__builtin_clz(lanes[warp]));
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
    steps<T>(totals, warps, op);
    uint32_t rank = 0;
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      if (lanes[warp] == 0 || rank++ == 0) continue;
      T before = totals[rank - 2];
      for_each_lane(lanes[warp], [&](uint32_t lane) { combine_one(before, waiting[32 * warp + lane], op); });
    }
  }
};

}  // namespace cpu
}  // namespace cohort
