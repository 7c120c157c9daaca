// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparisons of __nv_bfloat16: operators, and the functions __hadd, __hlt ...
#pragma once

#include "../device/small_floats/bfloat16_fma.h"
#include "bfloat16.h"

COHORT_BOTH_FUNCTION __nv_bfloat16 cohort_bfloat16_fma(float a, float b, float c) {
  return __nv_bfloat16_raw{cohort_bfloat16_fma_bits(a, b, c)};
}

COHORT_BOTH_FUNCTION __nv_bfloat16 cohort_bfloat16_saturate(__nv_bfloat16 h) {
  const float x = h;
  return x > 0.0f ? (x < 1.0f ? h : __nv_bfloat16(1.0f)) : __nv_bfloat16(0.0f);
}

#define COHORT_BFLOAT16_BINARY(name, symbol, expression)                                                \
  COHORT_BOTH_FUNCTION __nv_bfloat16 name(__nv_bfloat16 left, __nv_bfloat16 right) {                    \
    const float a = left, b = right;                                                                    \
    return expression;                                                                                  \
  }                                                                                                     \
  COHORT_BOTH_FUNCTION __nv_bfloat16 name##_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); } \
  COHORT_BOTH_FUNCTION __nv_bfloat16 name##_sat(__nv_bfloat16 a, __nv_bfloat16 b) {                     \
    return cohort_bfloat16_saturate(name(a, b));                                                        \
  }                                                                                                     \
  COHORT_BOTH_FUNCTION __nv_bfloat16 operator symbol(const __nv_bfloat16& a, const __nv_bfloat16& b) {  \
    return name(a, b);                                                                                  \
  }                                                                                                     \
  COHORT_BOTH_FUNCTION __nv_bfloat16& operator symbol##=(__nv_bfloat16 & a, const __nv_bfloat16 & b) {  \
    return a = name(a, b);                                                                              \
  }

// Exponents of the addends may differ by more than the bits of a double. A product is exact in double, and a quotient
// of two 8-bit fractions lies far enough from a tie.
COHORT_BFLOAT16_BINARY(__hadd, +, cohort_bfloat16_fma(a, 1.0f, b))
COHORT_BFLOAT16_BINARY(__hsub, -, cohort_bfloat16_fma(a, 1.0f, -b))
COHORT_BFLOAT16_BINARY(__hmul, *, __nv_bfloat16(static_cast<double>(a) * static_cast<double>(b)))
COHORT_BFLOAT16_BINARY(__hdiv, /, __nv_bfloat16(static_cast<double>(a) / static_cast<double>(b)))
#undef COHORT_BFLOAT16_BINARY

COHORT_BOTH_FUNCTION __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return cohort_bfloat16_fma(a, b, c);
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return cohort_bfloat16_saturate(__hfma(a, b, c));
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  const __nv_bfloat16 x = __hfma(a, b, c);
  return static_cast<float>(x) < 0.0f ? __nv_bfloat16(0.0f) : x;
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(a.__x ^ 0x8000u)};
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(a.__x & 0x7fffu)};
}
COHORT_BOTH_FUNCTION __nv_bfloat16 operator-(const __nv_bfloat16& a) { return __hneg(a); }
COHORT_BOTH_FUNCTION __nv_bfloat16 operator+(const __nv_bfloat16& a) { return a; }
COHORT_BOTH_FUNCTION __nv_bfloat16& operator++(__nv_bfloat16& a) { return a = __hadd(a, __nv_bfloat16(1)); }
COHORT_BOTH_FUNCTION __nv_bfloat16& operator--(__nv_bfloat16& a) { return a = __hsub(a, __nv_bfloat16(1)); }

COHORT_BOTH_FUNCTION bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fffu) > 0x7f80u; }
// 1 for plus infinity, -1 for minus infinity, else 0.
COHORT_BOTH_FUNCTION int __hisinf(__nv_bfloat16 a) { return a.__x == 0x7f80u ? 1 : a.__x == 0xff80u ? -1 : 0; }

// The `u` forms are also true if one of the two is NaN.
#define COHORT_BFLOAT16_COMPARE(name, symbol)                                \
  COHORT_BOTH_FUNCTION bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {    \
    return static_cast<float>(a) symbol static_cast<float>(b);               \
  }                                                                          \
  COHORT_BOTH_FUNCTION bool __h##name##u(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return __hisnan(a) || __hisnan(b) || __h##name(a, b);                    \
  }                                                                          \
  COHORT_BOTH_FUNCTION bool operator symbol(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __h##name(a, b); }

COHORT_BFLOAT16_COMPARE(eq, ==)
COHORT_BFLOAT16_COMPARE(lt, <)
COHORT_BFLOAT16_COMPARE(le, <=)
COHORT_BFLOAT16_COMPARE(gt, >)
COHORT_BFLOAT16_COMPARE(ge, >=)
#undef COHORT_BFLOAT16_COMPARE

// For NaN the operator is true and __hne is false, unlike the pairs of the other comparisons.
COHORT_BOTH_FUNCTION bool __hneu(__nv_bfloat16 a, __nv_bfloat16 b) { return !__heq(a, b); }
COHORT_BOTH_FUNCTION bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return __hlt(a, b) || __hgt(a, b); }
COHORT_BOTH_FUNCTION bool operator!=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hneu(a, b); }

// With one NaN, the result is the number; -0 is less than +0. The `_nan` forms return the NaN.
COHORT_BOTH_FUNCTION bool cohort_bfloat16_less(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hlt(a, b) || (__heq(a, b) && a.__x > 0x7fffu);
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hisnan(a) ? b : __hisnan(b) || cohort_bfloat16_less(a, b) ? a : b;
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hisnan(a) ? b : __hisnan(b) || cohort_bfloat16_less(b, a) ? a : b;
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);
}
COHORT_BOTH_FUNCTION __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);
}
