// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of binary floating-point formats of 16 bits: values by definition, and rounding by search.
#pragma once

#include "check.hpp"

typedef unsigned short bits16;

template <int FractionBits>
struct format16 {
  static constexpr int exponent_bits = 15 - FractionBits, bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr bits16 infinity = static_cast<bits16>(((1 << exponent_bits) - 1) << FractionBits);

  // Returns the value of the bits by the format's definition.
  static double value_of(bits16 bits) {
    const int exponent = (bits & 0x7fff) >> FractionBits, fraction = bits & ((1 << FractionBits) - 1);
    const double magnitude = exponent == (1 << exponent_bits) - 1 ? (fraction ? NAN : INFINITY)
                             : exponent == 0
                                 ? std::ldexp(fraction, 1 - bias - FractionBits)
                                 : std::ldexp((1 << FractionBits) + fraction, exponent - bias - FractionBits);
    return bits & 0x8000 ? -magnitude : magnitude;
  }

  // Rounds x to nearest even (direction 0), up (1), down (-1) or toward zero (2), and returns the bits.
  static bits16 rounded(long double x, int direction = 0) {
    if (x != x) return infinity + 1;
    const bits16 sign = std::signbit(x) ? 0x8000 : 0;
    const long double magnitude = std::fabs(x);
    bits16 low = 0, high = infinity;  // the largest value <= magnitude
    while (low + 1 < high) {
      const bits16 middle = static_cast<bits16>((low + high) / 2);
      (value_of(middle) <= magnitude ? low : high) = middle;
    }
    if (magnitude == INFINITY) return sign | infinity;
    const long double below = value_of(low);
    if (below == magnitude) return sign | low;
    const long double above = low + 1 == infinity ? std::ldexp(1.0L, bias + 1)  // where the next value would be
                                                  : static_cast<long double>(value_of(static_cast<bits16>(low + 1)));
    bool up = magnitude - below > above - magnitude || (magnitude - below == above - magnitude && low % 2 == 1);
    if (direction == 2) up = false;
    if (direction == 1) up = !sign;
    if (direction == -1) up = sign != 0;
    return static_cast<bits16>(sign | (up ? low + 1 : low));
  }

  static void equal(const char* what, bits16 got, bits16 wanted, double x, double y = 0, double z = 0) {
    const bool both_nan = (got & 0x7fff) > infinity && (wanted & 0x7fff) > infinity;
    check::equal(what, both_nan ? wanted : got, wanted, x, y, z);
  }
};

// One bit for each comparison of two 16-bit numbers, from bit 0 on, and the result of __hisinf in bits 11 and 12.
template <class Pair, class Number>
__device__ int compare(Number x, Number y) {
  return (x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5 | __heq(x, y) << 6 |
         __hne(x, y) << 7 | __hneu(x, y) << 8 | __hltu(x, y) << 9 | __hisnan(x) << 10 | (__hisinf(x) + 1) << 11 |
         __hbeq2(Pair(x, y), Pair(y, x)) << 13 | (__hlt2_mask(Pair(x, y), Pair(y, y)) == 0xffffu) << 14;
}
// The model of compare().
inline int compared(double x, double y) {
  const bool nan = x != x || y != y;
  return (x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5 | (x == y) << 6 |
         (x != y && !nan) << 7 | (x != y) << 8 | (x < y || nan) << 9 | (x != x) << 10 |
         ((x == INFINITY) - (x == -INFINITY) + 1) << 11 | (x == y) << 13 | (x < y) << 14;
}

// x * y + z, rounded to odd: an inexact result becomes that neighbour whose last bit is set, so rounding it to 16 bits
// is right. x and y have at most 12 bits.
inline long double exact_enough(double x, double y, double z) {
  const long double product = static_cast<long double>(x) * y, addend = z;
  const long double near = product + addend;
  if (near - near != 0) return near;
  const bool product_is_large = std::fabs(product) > std::fabs(addend);
  const long double large = product_is_large ? product : addend, small = product_is_large ? addend : product;
  __float128 error = small;  // needed where the exponents are too far apart for 113 bits
  if (std::fabs(small) >= std::fabs(large) * 0x1p-90L) error = static_cast<__float128>(product) + addend - near;
  uint64_t fraction = 0;  // fraction of an x87 number
  std::memcpy(&fraction, &near, sizeof fraction);
  if (error == 0 || fraction % 2 == 1) return near;
  return std::nextafter(near, error > 0 ? static_cast<long double>(INFINITY) : -static_cast<long double>(INFINITY));
}
