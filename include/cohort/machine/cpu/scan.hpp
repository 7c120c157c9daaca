// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of lanes and of a team: one rendezvous, in which the last thread to arrive runs the scan once for all.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/tree.hpp"
#include "../../base/types.hpp"
#include "lane_tree.hpp"
#include "lane_values.hpp"
#include "packed.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct scan {
  static constexpr bool has_lane_scan = true;
  static constexpr bool has_team_scan = true;

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* op_name) {
    return among_lanes<false, T, Op>(mask, value, nullptr, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* op_name) {
    return among_lanes<true>(mask, value, &first, op, op_name);
  }

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_team(uint32_t size, const T& value, Op& op, const char* op_name) {
    return in_team<false, T, Op>(size, value, nullptr, op, op_name);
  }
  template <class T, class Op>
  COHORT_FN static T exclusive_scan_team(uint32_t size, const T& value, const T& first, Op& op, const char* op_name) {
    return in_team<true>(size, value, &first, op, op_name);
  }

 private:
  template <bool Exclusive, class T, class Op>
  COHORT_FN static T among_lanes(uint32_t mask, const T& value, const T* first, Op& op, const char* op_name) {
    // Lanes that reach one point of a gang have equal masks there if one of them has a full mask.
    if (cohort_gang_first(mask) == all_lanes) {
      if constexpr (has_lane_tree<T, Op>) {
        if (cohort_gang_lanes() == all_lanes) {
          if constexpr (Exclusive) return lane_tree<32>::exclusive_scan(value, *first, op);
          return lane_tree<32>::inclusive_scan(value, op);
        }
      }
      own_value<T, Op, full_placement<T>, Exclusive> mine(value, op, first);
      cohort_wait_warp(mask, resolve_lanes<T, Op, full_placement<T>, Exclusive>, mine.operand(), op_name);
      return mine.result();
    }
    own_value<T, Op, partial_placement<T>, Exclusive> mine(value, op, first);
    cohort_wait_warp(mask, resolve_lanes<T, Op, partial_placement<T>, Exclusive>, mine.operand(), op_name);
    return mine.result();
  }

  template <bool Exclusive, class T, class Op>
  COHORT_FN static T in_team(uint32_t size, const T& value, const T* first, Op& op, const char* op_name) {
    own_value<T, Op, full_placement<T>, Exclusive> mine(value, op, first);
    cohort_wait_team(size, resolve_team<T, Op, Exclusive>, mine.operand(), op_name);
    return mine.result();
  }

  // Replaces the values of the lanes by their inclusive scan; returns the last lane.
  template <class T, class Op, class Waiting>
  COHORT_FN static uint32_t scan_lanes(uint32_t lanes, const Waiting& waiting, Op& op) {
    lane_values<T> values;
    uint32_t count = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.take(count++, waiting[lane]); });
    detail::scan_tree(values.by_rank(), count, op);
    uint32_t rank = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.give_back(rank++, waiting[lane]); });
    return 31u - static_cast<uint32_t>(__builtin_clz(lanes));
  }

  // Moves each value to the next higher lane, beginning with the highest; the lowest lane gets `first`.
  template <class T, class Waiting>
  COHORT_FN static void shift(uint32_t lanes, const Waiting& waiting, const T& first) {
    for_each_lane_downwards(lanes, [&](uint32_t lane) {
      const uint32_t lower = lanes & ((1u << lane) - 1u);
      detail::copy_value(waiting[lane],
                         lower == 0 ? first : waiting[31u - static_cast<uint32_t>(__builtin_clz(lower))]);
    });
  }

  template <class T, class Op, placement Where, bool Exclusive>
  COHORT_DEVICE static void resolve_lanes(uint32_t lanes, void* const* operands) {
    const uint32_t lowest = static_cast<uint32_t>(__builtin_ctz(lanes));
    const waiting_values<T, Op, Where, Exclusive> waiting(operands, lowest);
    if constexpr (Where == placement::packed) {
      if (lanes == all_lanes) {
        packed::scan_warp(&waiting[0], 32, waiting.op(0));
        if constexpr (Exclusive) packed::shift(&waiting[0], 32, waiting.first(0));
        return;
      }
    }
    scan_lanes<T>(lanes, waiting, waiting.op(lowest));
    if constexpr (Exclusive) shift<T>(lanes, waiting, waiting.first(lowest));
  }

  template <class T, class Op, bool Exclusive>
  COHORT_DEVICE static void resolve_team(uint32_t count, void* const* operands) {
    const uint32_t first = first_present(operands);
    const waiting_values<T, Op, full_placement<T>, Exclusive> waiting(operands, first);
    if constexpr (full_placement<T> == placement::packed) {
      if (all_present(count, operands)) {
        scan_packed(&waiting[0], count, waiting.op(0));
        if constexpr (Exclusive) packed::shift(&waiting[0], count, waiting.first(0));
        return;
      }
    }
    scan_some<T, Op, Exclusive>(count, operands, waiting, first);
  }

  // Scans a team of which no thread has returned.
  template <class T, class Op>
  COHORT_FN static void scan_packed(T* values, uint32_t count, Op& op) {
    lane_values<T, true> totals;
    const uint32_t warps = (count + 31) / 32;
    for (uint32_t warp = 0; warp < warps; ++warp) {
      const uint32_t size = count - 32 * warp < 32 ? count - 32 * warp : 32;
      packed::scan_warp(values + 32 * warp, size, op);
      totals.take(warp, values[32 * warp + size - 1]);
    }
    detail::scan_tree(totals.by_rank(), warps, op);
    for (uint32_t warp = 1; warp < warps; ++warp) {
      const uint32_t size = count - 32 * warp < 32 ? count - 32 * warp : 32;
      detail::prepend(totals[warp - 1], values + 32 * warp, size, op);
    }
  }

  // Scans a team in which some threads have returned, or whose values are too large to be packed.
  template <class T, class Op, bool Exclusive, class Waiting>
  COHORT_FN static void scan_some(uint32_t count, void* const* operands, const Waiting& waiting, uint32_t first) {
    Op& op = waiting.op(first);
    uint32_t lanes[32];
    uint32_t last[32];  // rank of each warp's last thread
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      lanes[warp] = lanes_of_warp(warp, count, operands);
      if (lanes[warp] != 0) last[warp] = 32 * warp + scan_lanes<T>(lanes[warp], waiting.from(32 * warp), op);
    }
    add_totals_before<T>(count, lanes, last, waiting, op);
    if constexpr (Exclusive) {
      for (uint32_t warp = (count + 31) / 32; warp-- > 0;) {
        if (lanes[warp] == 0) continue;
        uint32_t before = warp;
        while (before != 0 && lanes[before - 1] == 0) --before;
        shift<T>(lanes[warp], waiting.from(32 * warp), before == 0 ? waiting.first(first) : waiting[last[before - 1]]);
      }
    }
  }

  // Scans the warps' totals, and prepends to each thread's value the total of the warps before its own. Uses copies of
  // the totals, because the values that they come from change here.
  template <class T, class Op, class Waiting>
  COHORT_FN static void add_totals_before(uint32_t count, const uint32_t* lanes, const uint32_t* last,
                                          const Waiting& waiting, Op& op) {
    lane_values<T, true> totals;
    uint32_t warps = 0;
    for (uint32_t warp = 0; 32 * warp < count; ++warp) {
      if (lanes[warp] != 0) totals.take(warps++, waiting[last[warp]]);
    }
    detail::scan_tree(totals.by_rank(), warps, op);
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
