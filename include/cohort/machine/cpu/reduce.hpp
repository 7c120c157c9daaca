// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole reduction of lanes: one rendezvous, the tree of derive.hpp, run once by the last lane.
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

  template <class T, class Op>
  COHORT_FN static T reduce_lanes(uint32_t mask, const T& value, Op& op, const char* what) {
    operand<T, Op> mine = {value, &op};
    cohort_wait_warp(mask, resolve_reduce<T, Op>, &mine, what);
    return mine.value;
  }

 private:
  template <class T, class Op>
  struct operand {
    T value;
    Op* op;
  };

  template <class Values, class T, class Op>
  COHORT_FN static void tree(Values& values, uint32_t count, Op& op) {
    for (uint32_t step = 1; step < count; step *= 2) {
      for (uint32_t rank = 0; rank + step < count; rank += 2 * step) {
        const T sum = op(values[rank], values[rank + step]);
        detail::copy_value(values[rank], sum);
      }
    }
  }

  template <class T, class Op>
  COHORT_DEVICE static void resolve_reduce(uint32_t lanes, void* const* operands) {
    using operand_type = operand<T, Op>;
    lane_values<T, operand_type> values;
    gather(values, lanes, operands, static_cast<operand_type*>(nullptr));
    Op& op = *values.operands[0]->op;
    if (values.count == 32) {
      tree<lane_values<T, operand_type>, T>(values, 32, op);  // trip counts are constants: unrolled
    } else {
      tree<lane_values<T, operand_type>, T>(values, values.count, op);
    }
    const T result = values[0];
    for (uint32_t rank = 0; rank < values.count; ++rank) detail::copy_value(values.operands[rank]->value, result);
  }
};

}  // namespace cpu
}  // namespace cohort
