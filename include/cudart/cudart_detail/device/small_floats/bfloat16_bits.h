// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of a bfloat16 from and to float. They are computed with integers: the CPU's own conversion instruction
// treats denormals as zeros.
#pragma once

#include "../macros.h"

// A value that lies between two floats becomes the one whose last bit is set. A second rounding to fewer bits, to
// nearest or in any direction, is then right (rounding to odd).
COHORT_BOTH_FUNCTION constexpr float cohort_float_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  const double back = static_cast<double>(nearest);
  const unsigned int bits = __builtin_bit_cast(unsigned int, nearest);
  if (x != x || back == x || bits & 1u) return nearest;
  const bool grow = back == 0 || (x > back) == (x > 0);
  return __builtin_bit_cast(float, grow ? bits + 1 : bits - 1);
}

// A 64-bit integer as a double, rounded to odd: the last bit is set if bits were cut off.
COHORT_BOTH_FUNCTION constexpr double cohort_double_to_odd(unsigned long long x) {
  return x >> 53 ? static_cast<double>(x >> 11 | ((x & 0x7ff) != 0)) * 2048 : static_cast<double>(x);
}
COHORT_BOTH_FUNCTION constexpr double cohort_double_to_odd(long long x) {
  return x < 0 ? -cohort_double_to_odd(0ull - static_cast<unsigned long long>(x))
               : cohort_double_to_odd(static_cast<unsigned long long>(x));
}

// Rounds to nearest, ties to even.
COHORT_BOTH_FUNCTION constexpr unsigned short cohort_bfloat16_bits(float x) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  return static_cast<unsigned short>(x != x ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
COHORT_BOTH_FUNCTION constexpr float cohort_bfloat16_value(unsigned short bits) {
  return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
}
