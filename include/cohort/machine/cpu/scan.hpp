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

  // From the highest rank down, so that each step reads the values of the step before.
  template <class Values, class T, class Op>
  COHORT_FN static void steps(Values& values, uint32_t count, Op& op) {
    for (uint32_t step = 1; step < count; step *= 2) {
      for (uint32_t rank = count; rank-- > step;) {
        const T sum = op(values[rank - step], values[rank]);
        detail::copy_value(values[rank], sum);
      }
    }
  }

  template <class T, class Op, bool Exclusive>
  COHORT_DEVICE static void resolve_scan(uint32_t lanes, void* const* operands) {
    using operand_type = operand<T, Op>;
    lane_values<T, operand_type> values;
    gather(values, lanes, operands, static_cast<operand_type*>(nullptr));
    Op& op = *values.operands[0]->op;
    if (values.count == 32) {
      steps<lane_values<T, operand_type>, T>(values, 32, op);
    } else {
      steps<lane_values<T, operand_type>, T>(values, values.count, op);
    }
    if (Exclusive) {
      for (uint32_t rank = values.count; rank-- > 1;) detail::copy_value(values.operands[rank]->value, values[rank - 1]);
      detail::copy_value(values.operands[0]->value, *values.operands[0]->first);
    } else {
      for (uint32_t rank = 0; rank < values.count; ++rank) values.give_back(rank);
    }
  }
};

}  // namespace cpu
}  // namespace cohort
