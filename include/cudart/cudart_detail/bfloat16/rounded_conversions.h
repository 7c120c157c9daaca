// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of __nv_bfloat16 from and to other numbers, with an explicit rounding.
#pragma once

#include "../device/conversions.h"
#include "../device/small_floats/rounded_bfloat16.h"
#include "bfloat16.h"

template <cohort_rounding Mode>
COHORT_DEVICE_FUNCTION __nv_bfloat16 cohort_to_bfloat16(float x) {
  return __nv_bfloat16_raw{cohort_rounded_bfloat16_bits<Mode>(x)};
}

COHORT_DEVICE_FUNCTION __nv_bfloat16 __float2bfloat16_rz(float x) {
  return cohort_to_bfloat16<cohort_rounding::zero>(x);
}
COHORT_DEVICE_FUNCTION __nv_bfloat16 __float2bfloat16_ru(float x) { return cohort_to_bfloat16<cohort_rounding::up>(x); }
COHORT_DEVICE_FUNCTION __nv_bfloat16 __float2bfloat16_rd(float x) {
  return cohort_to_bfloat16<cohort_rounding::down>(x);
}

#define COHORT_BFLOAT16_INTEGER_ROUNDED(name, type, wide, suffix, mode)                               \
  COHORT_DEVICE_FUNCTION __nv_bfloat16 __##name##2bfloat16_##suffix(type x) {                         \
    return cohort_to_bfloat16<mode>(cohort_float_to_odd(cohort_double_to_odd(static_cast<wide>(x)))); \
  }                                                                                                   \
  COHORT_DEVICE_FUNCTION type __bfloat162##name##_##suffix(__nv_bfloat16 x) {                         \
    return cohort_to_integer<mode, type>(static_cast<float>(x));                                      \
  }
#define COHORT_BFLOAT16_INTEGER(name, type, wide)                                 \
  COHORT_BFLOAT16_INTEGER_ROUNDED(name, type, wide, rn, cohort_rounding::nearest) \
  COHORT_BFLOAT16_INTEGER_ROUNDED(name, type, wide, rz, cohort_rounding::zero)    \
  COHORT_BFLOAT16_INTEGER_ROUNDED(name, type, wide, ru, cohort_rounding::up)      \
  COHORT_BFLOAT16_INTEGER_ROUNDED(name, type, wide, rd, cohort_rounding::down)

COHORT_BFLOAT16_INTEGER(short, short, long long)
COHORT_BFLOAT16_INTEGER(ushort, unsigned short, unsigned long long)
COHORT_BFLOAT16_INTEGER(int, int, long long)
COHORT_BFLOAT16_INTEGER(uint, unsigned int, unsigned long long)
COHORT_BFLOAT16_INTEGER(ll, long long, long long)
COHORT_BFLOAT16_INTEGER(ull, unsigned long long, unsigned long long)
#undef COHORT_BFLOAT16_INTEGER
#undef COHORT_BFLOAT16_INTEGER_ROUNDED

COHORT_DEVICE_FUNCTION signed char __bfloat162char_rz(__nv_bfloat16 x) {
  return cohort_to_integer<cohort_rounding::zero, signed char>(static_cast<float>(x));
}
COHORT_DEVICE_FUNCTION unsigned char __bfloat162uchar_rz(__nv_bfloat16 x) {
  return cohort_to_integer<cohort_rounding::zero, unsigned char>(static_cast<float>(x));
}
