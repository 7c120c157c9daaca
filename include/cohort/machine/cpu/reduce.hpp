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

  // The tree over `Count` lanes from `First` on, a power of two, with all values in registers.
  template <uint32_t First, uint32_t Count, class T, class Op>
  COHORT_FN static T reduce_full(void* const* operands, Op& op) {
    if constexpr (Count == 1) {
      return operand_of<operand<T, Op>>(operands, First).value;
    } else {
      T lower = reduce_full<First, Count / 2, T, Op>(operands, op);
      T higher = reduce_full<First + Count / 2, Count / 2, T, Op>(operands, op);
      return op(lower, higher);
    }
  }

  template <class T, class Op>
  COHORT_FN static T reduce_some(uint32_t lanes, void* const* operands, Op& op) {
    lane_values<T, operand<T, Op>> values;
    uint32_t count = 0;
    for_each_lane(lanes, [&](uint32_t lane) { values.take(count++, operand_of<operand<T, Op>>(operands, lane)); });
    for (uint32_t step = 1; step < count; step *= 2) {
      for (uint32_t rank = 0; rank + step < count; rank += 2 * step) {
        const T sum = op(values[rank], values[rank + step]);
        detail::copy_value(values[rank], sum);
      }
    }
    return values[0];
  }

  template <class T, class Op>
  COHORT_DEVICE static void resolve_reduce(uint32_t lanes, void* const* operands) {
    Op& op = *operand_of<operand<T, Op>>(operands, static_cast<uint32_t>(__builtin_ctz(lanes))).op;
    constexpr bool is_small = sizeof(T) <= 16;
    const T result = is_small && lanes == all_lanes ? reduce_full<0, is_small ? 32 : 1, T, Op>(operands, op)
                                                    : reduce_some<T, Op>(lanes, operands, op);
    for_each_lane(lanes,
                  [&](uint32_t lane) { detail::copy_value(operand_of<operand<T, Op>>(operands, lane).value, result); });
  }
};

}  // namespace cpu
}  // namespace cohort
