// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between numbers with an explicit rounding: __float2int_rn, __ll2double_ru, __double2float_rz ...
#pragma once

#include "math/rounding.h"

// Rounds to an integer in the direction of `Mode`.
template <cohort_rounding Mode, class T>
COHORT_DEVICE_FUNCTION T cohort_round_to_whole(T x) {
  if (Mode == cohort_rounding::nearest) return __builtin_elementwise_roundeven(x);
  if (Mode == cohort_rounding::up) return __builtin_elementwise_ceil(x);
  if (Mode == cohort_rounding::down) return __builtin_elementwise_floor(x);
  return __builtin_elementwise_trunc(x);
}

// A value out of range gives the nearest bound. NaN gives 0 from half and float to 32 bits and fewer, else only the top
// bit set (PTX ISA, `cvt`).
template <cohort_rounding Mode, class Integer, class T>
COHORT_DEVICE_FUNCTION Integer cohort_to_integer(T x) {
  const Integer top_bit = static_cast<Integer>(static_cast<Integer>(1) << (sizeof(Integer) * 8 - 1));
  const bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(0);
  const Integer lowest = is_signed ? top_bit : 0;
  const Integer highest = static_cast<Integer>(~lowest);
  if (x != x) return sizeof(T) <= 4 && sizeof(Integer) <= 4 ? 0 : top_bit;
  const T whole = cohort_round_to_whole<Mode>(x);
  // The bounds as powers of two, which T represents exactly.
  const T end = static_cast<T>(static_cast<double>(highest / 2 + 1)) * T(2);
  if (whole >= end) return highest;
  if (whole < static_cast<T>(lowest)) return lowest;
  return static_cast<Integer>(whole);
}

// Converts `Integer` to float or double: the compiler rounds to nearest, and a comparison of integers gives the sign of
// the error.
template <cohort_rounding Mode, class T, class Integer>
COHORT_DEVICE_FUNCTION T cohort_from_integer(Integer x) {
  const T nearest = static_cast<T>(x);
  if (Mode == cohort_rounding::nearest) return nearest;
  const __int128 exact = x;
  const __int128 rounded = static_cast<__int128>(nearest);
  return cohort_round_directed<Mode>(nearest, (exact > rounded) - (exact < rounded));
}

template <cohort_rounding Mode>
COHORT_DEVICE_FUNCTION float cohort_to_float(double x) {
  const float nearest = static_cast<float>(x);
  if (Mode == cohort_rounding::nearest || !cohort_is_finite(x)) return nearest;
  const double back = static_cast<double>(nearest);
  return cohort_round_directed<Mode>(nearest, (x > back) - (x < back));
}

// Suffixes are not passed on to another macro, which would expand a macro of that name.
#define COHORT_TO_INTEGERS(type, suffix, mode)                                                                  \
  COHORT_DEVICE_FUNCTION_ON_USE int __##type##2int_##suffix(type x) { return cohort_to_integer<mode, int>(x); } \
  COHORT_DEVICE_FUNCTION_ON_USE unsigned int __##type##2uint_##suffix(type x) {                                 \
    return cohort_to_integer<mode, unsigned int>(x);                                                            \
  }                                                                                                             \
  COHORT_DEVICE_FUNCTION_ON_USE long long __##type##2ll_##suffix(type x) {                                      \
    return cohort_to_integer<mode, long long>(x);                                                               \
  }                                                                                                             \
  COHORT_DEVICE_FUNCTION_ON_USE unsigned long long __##type##2ull_##suffix(type x) {                            \
    return cohort_to_integer<mode, unsigned long long>(x);                                                      \
  }

COHORT_TO_INTEGERS(float, rn, cohort_rounding::nearest)
COHORT_TO_INTEGERS(float, rz, cohort_rounding::zero)
COHORT_TO_INTEGERS(float, ru, cohort_rounding::up)
COHORT_TO_INTEGERS(float, rd, cohort_rounding::down)
COHORT_TO_INTEGERS(double, rn, cohort_rounding::nearest)
COHORT_TO_INTEGERS(double, rz, cohort_rounding::zero)
COHORT_TO_INTEGERS(double, ru, cohort_rounding::up)
COHORT_TO_INTEGERS(double, rd, cohort_rounding::down)
#undef COHORT_TO_INTEGERS

#define COHORT_CONVERSIONS(suffix, mode)                                                                               \
  COHORT_DEVICE_FUNCTION_ON_USE float __int2float_##suffix(int x) { return cohort_from_integer<mode, float>(x); }      \
  COHORT_DEVICE_FUNCTION_ON_USE float __uint2float_##suffix(unsigned int x) {                                          \
    return cohort_from_integer<mode, float>(x);                                                                        \
  }                                                                                                                    \
  COHORT_DEVICE_FUNCTION_ON_USE float __ll2float_##suffix(long long x) { return cohort_from_integer<mode, float>(x); } \
  COHORT_DEVICE_FUNCTION_ON_USE float __ull2float_##suffix(unsigned long long x) {                                     \
    return cohort_from_integer<mode, float>(x);                                                                        \
  }                                                                                                                    \
  COHORT_DEVICE_FUNCTION_ON_USE double __ll2double_##suffix(long long x) {                                             \
    return cohort_from_integer<mode, double>(x);                                                                       \
  }                                                                                                                    \
  COHORT_DEVICE_FUNCTION_ON_USE double __ull2double_##suffix(unsigned long long x) {                                   \
    return cohort_from_integer<mode, double>(x);                                                                       \
  }                                                                                                                    \
  COHORT_DEVICE_FUNCTION_ON_USE float __double2float_##suffix(double x) { return cohort_to_float<mode>(x); }

COHORT_CONVERSIONS(rn, cohort_rounding::nearest)
COHORT_CONVERSIONS(rz, cohort_rounding::zero)
COHORT_CONVERSIONS(ru, cohort_rounding::up)
COHORT_CONVERSIONS(rd, cohort_rounding::down)
#undef COHORT_CONVERSIONS

COHORT_DEVICE_FUNCTION double __int2double_rn(int x) { return x; }
COHORT_DEVICE_FUNCTION double __uint2double_rn(unsigned int x) { return x; }
