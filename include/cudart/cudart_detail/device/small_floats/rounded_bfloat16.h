// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of the bfloat16 beside a float in an explicit direction.
#pragma once

#include "../math/directed_rounding.h"
#include "bfloat16_bits.h"

template <cohort_rounding Mode>
COHORT_BOTH_FUNCTION unsigned short cohort_rounded_bfloat16_bits(float x) {
  if (Mode == cohort_rounding::nearest || x != x) return cohort_bfloat16_bits(x);
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  const bool inexact = (bits & 0xffffu) != 0, negative = bits >> 31 != 0;
  const bool grow = inexact && (Mode == cohort_rounding::up ? !negative : Mode == cohort_rounding::down && negative);
  return static_cast<unsigned short>((bits >> 16) + grow);
}
