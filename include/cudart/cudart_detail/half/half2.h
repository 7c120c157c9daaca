// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of halves: construction, access to the elements, and the operations of __half on both elements.
#pragma once

#include "../../vector_types.h"
#include "arithmetic.h"
#include "conversions.h"

COHORT_BOTH_FUNCTION __half2 make_half2(__half x, __half y) { return {x, y}; }
COHORT_BOTH_FUNCTION __half2 __halves2half2(__half x, __half y) { return {x, y}; }
COHORT_BOTH_FUNCTION __half2 __half2half2(__half x) { return {x, x}; }
COHORT_BOTH_FUNCTION __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
COHORT_BOTH_FUNCTION __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
COHORT_BOTH_FUNCTION __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
COHORT_BOTH_FUNCTION float2 __half22float2(__half2 v) { return {__half2float(v.x), __half2float(v.y)}; }
COHORT_BOTH_FUNCTION __half __low2half(__half2 v) { return v.x; }
COHORT_BOTH_FUNCTION __half __high2half(__half2 v) { return v.y; }
COHORT_BOTH_FUNCTION float __low2float(__half2 v) { return __half2float(v.x); }
COHORT_BOTH_FUNCTION float __high2float(__half2 v) { return __half2float(v.y); }
COHORT_BOTH_FUNCTION __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
COHORT_BOTH_FUNCTION __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
COHORT_BOTH_FUNCTION __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
COHORT_BOTH_FUNCTION __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
COHORT_BOTH_FUNCTION __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#define COHORT_HALF2_1(name, one) \
  COHORT_BOTH_FUNCTION __half2 name(__half2 a) { return {one(a.x), one(a.y)}; }
#define COHORT_HALF2_2(name, one) \
  COHORT_BOTH_FUNCTION __half2 name(__half2 a, __half2 b) { return {one(a.x, b.x), one(a.y, b.y)}; }
#define COHORT_HALF2_3(name, one)                                      \
  COHORT_BOTH_FUNCTION __half2 name(__half2 a, __half2 b, __half2 c) { \
    return {one(a.x, b.x, c.x), one(a.y, b.y, c.y)};                   \
  }
#define COHORT_HALF2_OPERATOR(name, one, symbol)                                                          \
  COHORT_HALF2_2(name, one)                                                                               \
  COHORT_BOTH_FUNCTION __half2 operator symbol(const __half2& a, const __half2& b) { return name(a, b); } \
  COHORT_BOTH_FUNCTION __half2& operator symbol##=(__half2 & a, const __half2 & b) { return a = name(a, b); }

COHORT_HALF2_OPERATOR(__hadd2, __hadd, +)
COHORT_HALF2_OPERATOR(__hsub2, __hsub, -)
COHORT_HALF2_OPERATOR(__hmul2, __hmul, *)
COHORT_HALF2_OPERATOR(__h2div, __hdiv, /)
COHORT_HALF2_2(__hadd2_rn, __hadd)
COHORT_HALF2_2(__hsub2_rn, __hsub)
COHORT_HALF2_2(__hmul2_rn, __hmul)
COHORT_HALF2_2(__hadd2_sat, __hadd_sat)
COHORT_HALF2_2(__hsub2_sat, __hsub_sat)
COHORT_HALF2_2(__hmul2_sat, __hmul_sat)
COHORT_HALF2_3(__hfma2, __hfma)
COHORT_HALF2_3(__hfma2_sat, __hfma_sat)
COHORT_HALF2_3(__hfma2_relu, __hfma_relu)
COHORT_HALF2_1(__hneg2, __hneg)
COHORT_HALF2_1(__habs2, __habs)
COHORT_HALF2_2(__hmin2, __hmin)
COHORT_HALF2_2(__hmax2, __hmax)
COHORT_HALF2_2(__hmin2_nan, __hmin_nan)
COHORT_HALF2_2(__hmax2_nan, __hmax_nan)
COHORT_BOTH_FUNCTION __half2 operator-(const __half2& a) { return __hneg2(a); }
COHORT_BOTH_FUNCTION __half2 operator+(const __half2& a) { return a; }

// Comparisons with a result of 1 or 0 for each element, of all bits for each element, or of one bool for both.
#define COHORT_HALF2_COMPARE_ONE(name)                                                          \
  COHORT_BOTH_FUNCTION __half2 __h##name##2(__half2 a, __half2 b) {                             \
    return {__half(__h##name(a.x, b.x) ? 1 : 0), __half(__h##name(a.y, b.y) ? 1 : 0)};          \
  }                                                                                             \
  COHORT_BOTH_FUNCTION unsigned int __h##name##2_mask(__half2 a, __half2 b) {                   \
    return (__h##name(a.x, b.x) ? 0x0000ffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
  }                                                                                             \
  COHORT_BOTH_FUNCTION bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
#define COHORT_HALF2_COMPARE(name) \
  COHORT_HALF2_COMPARE_ONE(name)   \
  COHORT_HALF2_COMPARE_ONE(name##u)

COHORT_HALF2_COMPARE(eq)
COHORT_HALF2_COMPARE(ne)
COHORT_HALF2_COMPARE(lt)
COHORT_HALF2_COMPARE(le)
COHORT_HALF2_COMPARE(gt)
COHORT_HALF2_COMPARE(ge)
#undef COHORT_HALF2_COMPARE
#undef COHORT_HALF2_COMPARE_ONE

COHORT_BOTH_FUNCTION __half2 __hisnan2(__half2 a) {
  return {__half(__hisnan(a.x) ? 1 : 0), __half(__hisnan(a.y) ? 1 : 0)};
}
COHORT_BOTH_FUNCTION bool operator==(const __half2& a, const __half2& b) { return __hbeq2(a, b); }
COHORT_BOTH_FUNCTION bool operator!=(const __half2& a, const __half2& b) { return __hbneu2(a, b); }
COHORT_BOTH_FUNCTION bool operator<(const __half2& a, const __half2& b) { return __hblt2(a, b); }
COHORT_BOTH_FUNCTION bool operator<=(const __half2& a, const __half2& b) { return __hble2(a, b); }
COHORT_BOTH_FUNCTION bool operator>(const __half2& a, const __half2& b) { return __hbgt2(a, b); }
COHORT_BOTH_FUNCTION bool operator>=(const __half2& a, const __half2& b) { return __hbge2(a, b); }
