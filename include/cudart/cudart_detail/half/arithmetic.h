// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparisons of __half: operators, and the functions __hadd, __hlt ...
#pragma once

#include "half.h"

// a * b + c, rounded once. The product is exact in double. The sum may be inexact, but only if one addend is below
// 2^-31 of the other. The result is then no near-tie, so rounding it twice gives the same half.
COHORT_BOTH_FUNCTION _Float16 cohort_half_fma(_Float16 a, _Float16 b, _Float16 c) {
  return static_cast<_Float16>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

COHORT_BOTH_FUNCTION _Float16 cohort_half_saturate(_Float16 x) {
  return x > static_cast<_Float16>(0) ? (x < static_cast<_Float16>(1) ? x : static_cast<_Float16>(1))
                                      : static_cast<_Float16>(0);
}

#define COHORT_HALF_BINARY(name, symbol)                                                                           \
  COHORT_BOTH_FUNCTION __half name(__half a, __half b) { return static_cast<_Float16>(a.value_ symbol b.value_); } \
  COHORT_BOTH_FUNCTION __half name##_rn(__half a, __half b) { return name(a, b); }                                 \
  COHORT_BOTH_FUNCTION __half name##_sat(__half a, __half b) { return cohort_half_saturate(name(a, b).value_); }   \
  COHORT_BOTH_FUNCTION __half operator symbol(const __half& a, const __half& b) { return name(a, b); }             \
  COHORT_BOTH_FUNCTION __half& operator symbol##=(__half & a, const __half & b) { return a = name(a, b); }

COHORT_HALF_BINARY(__hadd, +)
COHORT_HALF_BINARY(__hsub, -)
COHORT_HALF_BINARY(__hmul, *)
COHORT_HALF_BINARY(__hdiv, /)
#undef COHORT_HALF_BINARY

COHORT_BOTH_FUNCTION __half __hfma(__half a, __half b, __half c) {
  return cohort_half_fma(a.value_, b.value_, c.value_);
}
COHORT_BOTH_FUNCTION __half __hfma_sat(__half a, __half b, __half c) {
  return cohort_half_saturate(cohort_half_fma(a.value_, b.value_, c.value_));
}
COHORT_BOTH_FUNCTION __half __hfma_relu(__half a, __half b, __half c) {
  const _Float16 x = cohort_half_fma(a.value_, b.value_, c.value_);
  return x < static_cast<_Float16>(0) ? static_cast<_Float16>(0) : x;
}
COHORT_BOTH_FUNCTION __half __hneg(__half a) { return static_cast<_Float16>(-a.value_); }
COHORT_BOTH_FUNCTION __half __habs(__half a) {
  return __half_raw{static_cast<unsigned short>(__builtin_bit_cast(unsigned short, a.value_) & 0x7fffu)};
}
COHORT_BOTH_FUNCTION __half operator-(const __half& a) { return __hneg(a); }
COHORT_BOTH_FUNCTION __half operator+(const __half& a) { return a; }
COHORT_BOTH_FUNCTION __half& operator++(__half& a) { return a = __hadd(a, __half(1)); }
COHORT_BOTH_FUNCTION __half& operator--(__half& a) { return a = __hsub(a, __half(1)); }

// The `u` forms are also true if one of the two is NaN.
#define COHORT_HALF_COMPARE(name, symbol)                                                      \
  COHORT_BOTH_FUNCTION bool __h##name(__half a, __half b) { return a.value_ symbol b.value_; } \
  COHORT_BOTH_FUNCTION bool __h##name##u(__half a, __half b) {                                 \
    return a.value_ != a.value_ || b.value_ != b.value_ || a.value_ symbol b.value_;           \
  }                                                                                            \
  COHORT_BOTH_FUNCTION bool operator symbol(const __half& a, const __half& b) { return a.value_ symbol b.value_; }

COHORT_HALF_COMPARE(eq, ==)
COHORT_HALF_COMPARE(lt, <)
COHORT_HALF_COMPARE(le, <=)
COHORT_HALF_COMPARE(gt, >)
COHORT_HALF_COMPARE(ge, >=)
#undef COHORT_HALF_COMPARE

// Inequality is written out: for NaN the operator is true and __hne is false, unlike the pairs of the other
// comparisons.
COHORT_BOTH_FUNCTION bool __hne(__half a, __half b) { return a.value_ < b.value_ || a.value_ > b.value_; }
COHORT_BOTH_FUNCTION bool __hneu(__half a, __half b) { return a.value_ != b.value_; }
COHORT_BOTH_FUNCTION bool operator!=(const __half& a, const __half& b) { return a.value_ != b.value_; }

COHORT_BOTH_FUNCTION bool __hisnan(__half a) { return a.value_ != a.value_; }
// 1 for plus infinity, -1 for minus infinity, else 0.
COHORT_BOTH_FUNCTION int __hisinf(__half a) {
  const unsigned short bits = __builtin_bit_cast(unsigned short, a.value_);
  return bits == 0x7c00u ? 1 : bits == 0xfc00u ? -1 : 0;
}

// With one NaN, the result is the number; -0 is less than +0. The `_nan` forms return the NaN.
COHORT_BOTH_FUNCTION bool cohort_half_less(__half a, __half b) {
  return a.value_ < b.value_ || (a.value_ == b.value_ && __builtin_bit_cast(short, a.value_) < 0);
}
COHORT_BOTH_FUNCTION __half __hmin(__half a, __half b) {
  return __hisnan(a) ? b : __hisnan(b) || cohort_half_less(a, b) ? a : b;
}
COHORT_BOTH_FUNCTION __half __hmax(__half a, __half b) {
  return __hisnan(a) ? b : __hisnan(b) || cohort_half_less(b, a) ? a : b;
}
COHORT_BOTH_FUNCTION __half __hmin_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
COHORT_BOTH_FUNCTION __half __hmax_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
