// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of a float of six or four bits from and to other numbers. These formats have no infinity and no NaN. A
// format is named by its bits of exponent and of mantissa.
#pragma once

#include "../device/macros.h"
#include "../device/small_floats/float8_bits.h"

// A number beyond the format becomes its largest one, and NaN the largest positive one (PTX ISA, `cvt`).
COHORT_BOTH_FUNCTION constexpr unsigned char cohort_finite_bits(double x, int exponent_bits, int mantissa_bits,
                                                                enum cudaRoundMode rounding) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned int largest = (1u << (exponent_bits + mantissa_bits)) - 1;
  if (x != x) return static_cast<unsigned char>(largest);
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const bool is_negative = bits >> 63 != 0;
  const unsigned int sign = is_negative ? largest + 1 : 0;
  const int least_exponent = 1 - bias;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent > (1 << exponent_bits) - 1 - bias) return static_cast<unsigned char>(sign | largest);
  if (exponent < least_exponent) exponent = least_exponent;
  // The number in units of the last place.
  const double units = (is_negative ? -x : x) * cohort_power_of_two(mantissa_bits - exponent);
  const unsigned int below = static_cast<unsigned int>(units);
  const double rest = units - below;
  const bool grows = rounding == cudaRoundPosInf    ? rest > 0 && !is_negative
                     : rounding == cudaRoundMinInf  ? rest > 0 && is_negative
                     : rounding == cudaRoundNearest ? rest > 0.5 || (rest == 0.5 && below % 2 == 1)
                                                    : false;
  const unsigned int code = below + grows + (static_cast<unsigned int>(exponent - least_exponent) << mantissa_bits);
  return static_cast<unsigned char>(sign | (code > largest ? largest : code));
}

// Bits above the number's are ignored.
COHORT_BOTH_FUNCTION constexpr float cohort_finite_value(unsigned int x, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned int hidden = 1u << mantissa_bits;
  const int field = static_cast<int>(x >> mantissa_bits & ((1u << exponent_bits) - 1));
  const unsigned int units = (x & (hidden - 1)) | (field > 0 ? hidden : 0u);
  const float magnitude =
      static_cast<float>(units * cohort_power_of_two((field > 0 ? field : 1) - bias - mantissa_bits));
  return x >> (exponent_bits + mantissa_bits) & 1 ? -magnitude : magnitude;
}
