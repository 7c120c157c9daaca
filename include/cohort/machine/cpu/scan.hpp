// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole scan of lanes: one rendezvous, the order of derive.hpp, run once by the last lane.
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

  template <class T, class Op>
  COHORT_FN static T inclusive_scan_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    operand<T, Op> mine = {value, &op, nullptr};
    cohort_wait_warp(mask, resolve_scan<T, Op, false>, &mine, what);
    return mine.value;
  }

  template <class T, class Op>
  COHORT_FN static T exclusive_scan_lanes(uint32_t mask, const T& value, const T& first, Op& op, const char* what) {
    operand<T, Op> mine = {value, &op, &first};
    cohort_wait_warp(mask, resolve_scan<T, Op, true>, &mine, what);
    return mine.value;
  }

 private:
  template <class T, class Op>
  struct operand {
    T value;
    Op* op;
    const T* first;  // of an exclusive scan: what rank 0 gets
  };

  template <class T, class Op>
  using values_of = lane_values<T, operand<T, Op>>;

  // From the highest rank down, so that each step reads the values of the step before.
  template <class T, class Op>
  COHORT_FN static void steps(values_of<T, Op>& values, uint32_t count, Op& op) {
    for (uint32_t step = 1; step < count; step *= 2) {
      for (uint32_t rank = count; rank-- > step;) {
        const T sum = op(values[rank - step], values[rank]);
        detail::copy_value(values[rank], sum);
      }
    }
  }

  template <class T, class Op, bool Exclusive>
  COHORT_DEVICE static void resolve_scan(uint32_t lanes, void* const* operands) {
    using lane_operand = operand<T, Op>;
    lane_operand& lowest = operand_of<lane_operand>(operands, static_cast<uint32_t>(__builtin_ctz(lanes)));
    values_of<T, Op> values;
    uint32_t count = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.take(count++, operand_of<lane_operand>(operands, lane)); });
    if (lanes == all_lanes) {
      steps<T, Op>(values, 32, *lowest.op);  // trip counts are constants
    } else {
      steps<T, Op>(values, count, *lowest.op);
    }
    if constexpr (Exclusive) {
      // From the top, so that a value that stays in its operand is read before it is replaced.
      uint32_t rank = count;
      for_each_lane_downwards(lanes, [&](uint32_t lane) {
        --rank;
        detail::copy_value(operand_of<lane_operand>(operands, lane).value,
                           rank == 0 ? *lowest.first : values[rank - 1]);
      });
    } else {
      uint32_t rank = 0;
      for_each_lane(lanes, [&](uint32_t lane) { values.give_back(rank++, operand_of<lane_operand>(operands, lane)); });
    }
  }
};

}  // namespace cpu
}  // namespace cohort
