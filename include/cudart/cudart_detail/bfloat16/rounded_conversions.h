// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of __nv_bfloat16 from and to other numbers, with an explicit rounding. The host has those from float,
// those from integers to the nearest number, and those to integers toward zero.
#pragma once

#include "../device/small_floats/rounded_bfloat16.h"
#include "../device/small_floats/truncated_integer.h"
#include "bfloat16.h"
#if defined(__CUDA__)
#include "../device/conversions.h"
#endif

template <cohort_rounding Mode>
COHORT_BOTH_FUNCTION __nv_bfloat16 cohort_to_bfloat16(float x) {
  return __nv_bfloat16_raw{cohort_rounded_bfloat16_bits<Mode>(x)};
}

COHORT_BOTH_FUNCTION __nv_bfloat16 __float2bfloat16_rz(float x) { return cohort_to_bfloat16<cohort_rounding::zero>(x); }
COHORT_BOTH_FUNCTION __nv_bfloat16 __float2bfloat16_ru(float x) { return cohort_to_bfloat16<cohort_rounding::up>(x); }
COHORT_BOTH_FUNCTION __nv_bfloat16 __float2bfloat16_rd(float x) { return cohort_to_bfloat16<cohort_rounding::down>(x); }

#define COHORT_BFLOAT16_OF_INTEGER(function, name, type, wide, suffix, mode)                          \
  function __nv_bfloat16 __##name##2bfloat16_##suffix(type x) {                                       \
    return cohort_to_bfloat16<mode>(cohort_float_to_odd(cohort_double_to_odd(static_cast<wide>(x)))); \
  }
#define COHORT_BFLOAT16_TRUNCATED(name, type)                         \
  COHORT_BOTH_FUNCTION type __bfloat162##name##_rz(__nv_bfloat16 x) { \
    return cohort_truncated_integer<type>(static_cast<float>(x));     \
  }
#if defined(__CUDA__)
#define COHORT_BFLOAT16_ROUNDED(name, type, wide, suffix, mode) \
  COHORT_BFLOAT16_OF_INTEGER(COHORT_DEVICE_FUNCTION, name, type, wide, suffix, mode)
#define COHORT_BFLOAT16_TO_INTEGER(name, type, suffix, mode)                  \
  COHORT_DEVICE_FUNCTION type __bfloat162##name##_##suffix(__nv_bfloat16 x) { \
    return cohort_to_integer<mode, type>(static_cast<float>(x));              \
  }
#else
#define COHORT_BFLOAT16_ROUNDED(name, type, wide, suffix, mode)
#define COHORT_BFLOAT16_TO_INTEGER(name, type, suffix, mode)
#endif
#define COHORT_BFLOAT16_INTEGER(name, type, wide)                                                  \
  COHORT_BFLOAT16_OF_INTEGER(COHORT_BOTH_FUNCTION, name, type, wide, rn, cohort_rounding::nearest) \
  COHORT_BFLOAT16_ROUNDED(name, type, wide, rz, cohort_rounding::zero)                             \
  COHORT_BFLOAT16_ROUNDED(name, type, wide, ru, cohort_rounding::up)                               \
  COHORT_BFLOAT16_ROUNDED(name, type, wide, rd, cohort_rounding::down)                             \
  COHORT_BFLOAT16_TRUNCATED(name, type)                                                            \
  COHORT_BFLOAT16_TO_INTEGER(name, type, rn, cohort_rounding::nearest)                             \
  COHORT_BFLOAT16_TO_INTEGER(name, type, ru, cohort_rounding::up)                                  \
  COHORT_BFLOAT16_TO_INTEGER(name, type, rd, cohort_rounding::down)

COHORT_BFLOAT16_INTEGER(short, short, long long)
COHORT_BFLOAT16_INTEGER(ushort, unsigned short, unsigned long long)
COHORT_BFLOAT16_INTEGER(int, int, long long)
COHORT_BFLOAT16_INTEGER(uint, unsigned int, unsigned long long)
COHORT_BFLOAT16_INTEGER(ll, long long, long long)
COHORT_BFLOAT16_INTEGER(ull, unsigned long long, unsigned long long)
COHORT_BFLOAT16_TRUNCATED(char, signed char)
COHORT_BFLOAT16_TRUNCATED(uchar, unsigned char)
#undef COHORT_BFLOAT16_INTEGER
#undef COHORT_BFLOAT16_OF_INTEGER
#undef COHORT_BFLOAT16_TRUNCATED
#undef COHORT_BFLOAT16_ROUNDED
#undef COHORT_BFLOAT16_TO_INTEGER
