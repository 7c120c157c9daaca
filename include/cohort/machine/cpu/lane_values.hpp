// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a resolve function walks over the lanes that take part, and where it keeps their values while it combines
// them: small values in an array, which the compiler can hold in registers; large ones stay where they are.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace cpu {

inline constexpr uint32_t all_lanes = 0xffffffffu;

// Calls body(lane) for each lane of `lanes`, in order. A full warp is a loop without a test.
template <class Body>
COHORT_FN void for_each_lane(uint32_t lanes, Body body) {
  if (lanes == all_lanes) {
    for (uint32_t lane = 0; lane < 32; ++lane) body(lane);
  } else {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1u) body(static_cast<uint32_t>(__builtin_ctz(rest)));
  }
}

template <class Body>
COHORT_FN void for_each_lane_downwards(uint32_t lanes, Body body) {
  for (uint32_t rest = lanes; rest != 0;) {
    const uint32_t lane = 31u - static_cast<uint32_t>(__builtin_clz(rest));
    rest &= ~(1u << lane);
    body(lane);
  }
}

template <class Operand>
COHORT_FN Operand& operand_of(void* const* operands, uint32_t lane) {
  return *static_cast<Operand*>(operands[lane]);
}

// The values of the lanes, by place. `Operand` has a member `value` of type T.
template <class T, class Operand, bool Small = (sizeof(T) <= 16)>
struct lane_values {
  detail::slot<T> values[32];

  COHORT_FN void take(uint32_t place, Operand& operand) { detail::copy_value(values[place].value, operand.value); }
  COHORT_FN T& operator[](uint32_t place) { return values[place].value; }
  // Hands the value at `place` back to the operand that it was taken from.
  COHORT_FN void give_back(uint32_t place, Operand& operand) { detail::copy_value(operand.value, values[place].value); }
};

template <class T, class Operand>
struct lane_values<T, Operand, false> {
  T* values[32];

  COHORT_FN void take(uint32_t place, Operand& operand) { values[place] = &operand.value; }
  COHORT_FN T& operator[](uint32_t place) { return *values[place]; }
  COHORT_FN void give_back(uint32_t /*place*/, Operand& /*operand*/) {}
};

}  // namespace cpu
}  // namespace cohort
