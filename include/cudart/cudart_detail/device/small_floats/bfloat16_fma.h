// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fused multiply-add of bfloat16.
#pragma once

#include "bfloat16_bits.h"

// a * b + c, rounded once. The product is exact in double. The sum is rounded to odd: its error (Knuth's two-sum)
// decides about an even last bit.
COHORT_BOTH_FUNCTION unsigned short cohort_bfloat16_fma_bits(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b), addend = static_cast<double>(c);
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  const bool is_finite = sum - sum == 0;
  if (is_finite && error != 0 && !(bits & 1u)) bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return cohort_bfloat16_bits(cohort_float_to_odd(__builtin_bit_cast(double, bits)));
}
