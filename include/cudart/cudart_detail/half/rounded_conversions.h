// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of __half from and to other numbers, with an explicit rounding.
#pragma once

#include "../device/conversions.h"
#include "half.h"

template <cohort_rounding Mode>
COHORT_DEVICE_FUNCTION __half cohort_to_half(double x) {
  const _Float16 nearest = static_cast<_Float16>(x);
  if (!cohort_is_finite(x)) return nearest;
  const double back = static_cast<double>(nearest);
  return cohort_round_directed<Mode>(nearest, (x > back) - (x < back));
}
// 64-bit integers do not fit a double, but from 2^17 on all of them are infinite as halves.
template <cohort_rounding Mode, class Integer>
COHORT_DEVICE_FUNCTION __half cohort_integer_to_half(Integer x) {
  const Integer bound = static_cast<Integer>(sizeof(Integer) > 2 ? 1 << 17 : 0);
  if (sizeof(Integer) > 2 && x > bound) return cohort_to_half<Mode>(static_cast<double>(bound));
  if (sizeof(Integer) > 2 && static_cast<Integer>(-1) < static_cast<Integer>(0) && x < -bound)
    return cohort_to_half<Mode>(-static_cast<double>(bound));
  return cohort_to_half<Mode>(static_cast<double>(x));
}

COHORT_DEVICE_FUNCTION __half __float2half_rz(float x) { return cohort_to_half<cohort_rounding::zero>(x); }
COHORT_DEVICE_FUNCTION __half __float2half_ru(float x) { return cohort_to_half<cohort_rounding::up>(x); }
COHORT_DEVICE_FUNCTION __half __float2half_rd(float x) { return cohort_to_half<cohort_rounding::down>(x); }

#define COHORT_HALF_INTEGER_ROUNDED(name, type, suffix, mode)                                                \
  COHORT_DEVICE_FUNCTION __half __##name##2half_##suffix(type x) { return cohort_integer_to_half<mode>(x); } \
  COHORT_DEVICE_FUNCTION type __half2##name##_##suffix(__half x) {                                           \
    return cohort_to_integer<mode, type>(static_cast<float>(x.value_));                                      \
  }
#define COHORT_HALF_INTEGER(name, type)                                 \
  COHORT_HALF_INTEGER_ROUNDED(name, type, rn, cohort_rounding::nearest) \
  COHORT_HALF_INTEGER_ROUNDED(name, type, rz, cohort_rounding::zero)    \
  COHORT_HALF_INTEGER_ROUNDED(name, type, ru, cohort_rounding::up)      \
  COHORT_HALF_INTEGER_ROUNDED(name, type, rd, cohort_rounding::down)

COHORT_HALF_INTEGER(short, short)
COHORT_HALF_INTEGER(ushort, unsigned short)
COHORT_HALF_INTEGER(int, int)
COHORT_HALF_INTEGER(uint, unsigned int)
COHORT_HALF_INTEGER(ll, long long)
COHORT_HALF_INTEGER(ull, unsigned long long)
#undef COHORT_HALF_INTEGER
#undef COHORT_HALF_INTEGER_ROUNDED

COHORT_DEVICE_FUNCTION signed char __half2char_rz(__half x) {
  return cohort_to_integer<cohort_rounding::zero, signed char>(static_cast<float>(x.value_));
}
COHORT_DEVICE_FUNCTION unsigned char __half2uchar_rz(__half x) {
  return cohort_to_integer<cohort_rounding::zero, unsigned char>(static_cast<float>(x.value_));
}
