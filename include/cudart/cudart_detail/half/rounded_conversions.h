// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of __half from and to other numbers, with an explicit rounding. Host code has only the conversions to
// __half, and those from __half that round toward zero.
#pragma once

#include "../device/small_floats/rounded_float16.h"
#include "../device/small_floats/truncated_integer.h"
#include "half.h"
#if defined(__CUDA__)
#include "../device/conversions.h"
#endif

template <cohort_rounding Mode>
COHORT_BOTH_FUNCTION __half cohort_to_half(float x) {
  return cohort_to_float16<Mode>(x);
}

COHORT_BOTH_FUNCTION __half __float2half_rz(float x) { return cohort_to_half<cohort_rounding::zero>(x); }
COHORT_BOTH_FUNCTION __half __float2half_ru(float x) { return cohort_to_half<cohort_rounding::up>(x); }
COHORT_BOTH_FUNCTION __half __float2half_rd(float x) { return cohort_to_half<cohort_rounding::down>(x); }

#define COHORT_HALF_OF_INTEGER(name, type, suffix, mode) \
  COHORT_BOTH_FUNCTION __half __##name##2half_##suffix(type x) { return cohort_integer_to_float16<mode>(x); }
#define COHORT_HALF_TRUNCATED(name, type) \
  COHORT_BOTH_FUNCTION type __half2##name##_rz(__half x) { return cohort_truncated_integer<type>(x); }
#if defined(__CUDA__)
#define COHORT_HALF_ROUNDED(name, type, suffix, mode)              \
  COHORT_DEVICE_FUNCTION type __half2##name##_##suffix(__half x) { \
    return cohort_to_integer<mode, type>(static_cast<float>(x));   \
  }
#else
#define COHORT_HALF_ROUNDED(name, type, suffix, mode)
#endif
#define COHORT_HALF_INTEGER(name, type)                            \
  COHORT_HALF_OF_INTEGER(name, type, rn, cohort_rounding::nearest) \
  COHORT_HALF_OF_INTEGER(name, type, rz, cohort_rounding::zero)    \
  COHORT_HALF_OF_INTEGER(name, type, ru, cohort_rounding::up)      \
  COHORT_HALF_OF_INTEGER(name, type, rd, cohort_rounding::down)    \
  COHORT_HALF_TRUNCATED(name, type)                                \
  COHORT_HALF_ROUNDED(name, type, rn, cohort_rounding::nearest)    \
  COHORT_HALF_ROUNDED(name, type, ru, cohort_rounding::up)         \
  COHORT_HALF_ROUNDED(name, type, rd, cohort_rounding::down)

COHORT_HALF_INTEGER(short, short)
COHORT_HALF_INTEGER(ushort, unsigned short)
COHORT_HALF_INTEGER(int, int)
COHORT_HALF_INTEGER(uint, unsigned int)
COHORT_HALF_INTEGER(ll, long long)
COHORT_HALF_INTEGER(ull, unsigned long long)
COHORT_HALF_TRUNCATED(char, signed char)
COHORT_HALF_TRUNCATED(uchar, unsigned char)
#undef COHORT_HALF_INTEGER
#undef COHORT_HALF_OF_INTEGER
#undef COHORT_HALF_TRUNCATED
#undef COHORT_HALF_ROUNDED
