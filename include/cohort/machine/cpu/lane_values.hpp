// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of the lanes that take part in a rendezvous, in the order of their ranks. Small values are gathered
// into an array, which the compiler can keep in registers; large ones stay where they are.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"

namespace cohort {
namespace cpu {

// `Operand` has a member `value` of type T.
template <class T, class Operand, bool Small = (sizeof(T) <= 16)>
struct lane_values {
  Operand* operands[32];
  detail::slot<T> values[32];
  uint32_t count = 0;

  COHORT_FN void add(Operand* operand) {
    operands[count] = operand;
    detail::copy_value(values[count].value, operand->value);
    ++count;
  }
  COHORT_FN T& operator[](uint32_t rank) { return values[rank].value; }
  // Hands rank `rank` its value back.
  COHORT_FN void give_back(uint32_t rank) { detail::copy_value(operands[rank]->value, values[rank].value); }
};

template <class T, class Operand>
struct lane_values<T, Operand, false> {
  Operand* operands[32];
  uint32_t count = 0;

  COHORT_FN void add(Operand* operand) { operands[count++] = operand; }
  COHORT_FN T& operator[](uint32_t rank) { return operands[rank]->value; }
  COHORT_FN void give_back(uint32_t /*rank*/) {}
};

template <class Values, class Operand>
COHORT_FN void gather(Values& values, uint32_t lanes, void* const* operands, Operand*) {
  if (lanes == 0xffffffffu) {
    for (uint32_t lane = 0; lane < 32; ++lane) values.add(static_cast<Operand*>(operands[lane]));
  } else {
    for (uint32_t lane = 0, rest = lanes; rest != 0; ++lane, rest >>= 1) {
      if ((rest & 1u) != 0) values.add(static_cast<Operand*>(operands[lane]));
    }
  }
}

}  // namespace cpu
}  // namespace cohort
