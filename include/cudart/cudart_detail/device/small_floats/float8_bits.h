// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of an 8-bit float from and to other numbers. The format is named by its bits of mantissa: 3 for E4M3, which
// has no infinity and whose NaN are 0x7f and 0xff; 2 for E5M2, which is as in IEEE 754.
#pragma once

#include "../macros.h"

// 2^exponent, for exponents of normal doubles.
COHORT_BOTH_FUNCTION constexpr double cohort_power_of_two(int exponent) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(exponent + 1023) << 52);
}

// Rounds to nearest, ties to even. A number beyond the format becomes its largest one with `saturates`, else NaN or
// infinity.
COHORT_BOTH_FUNCTION constexpr unsigned char cohort_fp8_bits(double x, bool saturates, int mantissa_bits) {
  constexpr int largest_exponent = 20;  // the exponent of a number that exceeds both formats
  const bool is_e4m3 = mantissa_bits == 3;
  const int least_exponent = is_e4m3 ? -6 : -14;
  const unsigned int largest_finite = is_e4m3 ? 0x7e : 0x7b;
  const unsigned int beyond = saturates ? largest_finite : is_e4m3 ? 0x7f : 0x7c;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const unsigned int sign = static_cast<unsigned int>(bits >> 63 << 7);
  if (x != x) return 0x7f;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent > largest_exponent) return static_cast<unsigned char>(sign | beyond);
  if (exponent < least_exponent) exponent = least_exponent;
  // The number in units of the last place. Adding 1.5 * 2^52 rounds to an integer, which the low bits then hold.
  const double units = (x < 0 ? -x : x) * cohort_power_of_two(mantissa_bits - exponent);
  const double shifted = units + 0x1.8p52;
  const unsigned int rounded = static_cast<unsigned int>(__builtin_bit_cast(unsigned long long, shifted) & 0xff);
  const unsigned int code = rounded + (static_cast<unsigned int>(exponent - least_exponent) << mantissa_bits);
  return static_cast<unsigned char>(sign | (code > largest_finite ? beyond : code));
}

COHORT_BOTH_FUNCTION constexpr float cohort_fp8_value(unsigned char x, int mantissa_bits) {
  const bool is_e4m3 = mantissa_bits == 3;
  const int least_exponent = is_e4m3 ? -6 : -14;
  const unsigned int code = x & 0x7fu;
  const unsigned int sign = static_cast<unsigned int>(x & 0x80u) << 24;
  if (code > (is_e4m3 ? 0x7eu : 0x7cu)) return __builtin_nanf("");
  if (!is_e4m3 && code == 0x7c) return __builtin_bit_cast(float, sign | 0x7f800000u);
  const unsigned int hidden = 1u << mantissa_bits;
  const int field = static_cast<int>(code >> mantissa_bits);
  const unsigned int units = (code & (hidden - 1)) | (field > 0 ? hidden : 0u);
  const int exponent = least_exponent - mantissa_bits + (field > 0 ? field - 1 : 0);
  const float magnitude = static_cast<float>(units * cohort_power_of_two(exponent));
  return sign ? -magnitude : magnitude;
}
