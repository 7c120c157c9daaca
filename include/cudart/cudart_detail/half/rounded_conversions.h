// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of __half from and to other numbers, with an explicit rounding.
#pragma once

#include "../device/conversions.h"
#include "../device/small_floats/rounded_float16.h"
#include "half.h"

template <cohort_rounding Mode>
COHORT_DEVICE_FUNCTION __half cohort_to_half(float x) {
  return cohort_to_float16<Mode>(x);
}

COHORT_DEVICE_FUNCTION __half __float2half_rz(float x) { return cohort_to_half<cohort_rounding::zero>(x); }
COHORT_DEVICE_FUNCTION __half __float2half_ru(float x) { return cohort_to_half<cohort_rounding::up>(x); }
COHORT_DEVICE_FUNCTION __half __float2half_rd(float x) { return cohort_to_half<cohort_rounding::down>(x); }

#define COHORT_HALF_INTEGER_ROUNDED(name, type, suffix, mode)                                                   \
  COHORT_DEVICE_FUNCTION __half __##name##2half_##suffix(type x) { return cohort_integer_to_float16<mode>(x); } \
  COHORT_DEVICE_FUNCTION type __half2##name##_##suffix(__half x) {                                              \
    return cohort_to_integer<mode, type>(static_cast<float>(x.value_));                                         \
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
