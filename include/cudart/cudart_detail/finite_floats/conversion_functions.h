// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions __nv_cvt_..._to_fp6 and their neighbours, by one macro for floats of six and of four bits. All go
// through double, which holds every value of the other types, so there is one rounding.
//
// `digits` is 4 or 6, and `pair_shift` the place of the second number of a pair. The header of the type defines
// cohort_fp<digits>_bits(double, format, rounding) and cohort_fp<digits>_value(bits, format).
#pragma once

#include "../float8/conversions.h"
#include "finite_bits.h"

#define COHORT_FINITE_CONVERSION(digits, type, from, number)                            \
  COHORT_BOTH_FUNCTION __nv_fp##digits##_storage_t __nv_cvt_##from##_to_fp##digits(     \
      type x, __nv_fp##digits##_interpretation_t format, enum cudaRoundMode rounding) { \
    return cohort_fp##digits##_bits(number, format, rounding);                          \
  }
#define COHORT_FINITE_PAIR_CONVERSION(digits, pair_shift, type, from, element, first, second)                       \
  COHORT_BOTH_FUNCTION __nv_fp##digits##x2_storage_t __nv_cvt_##from##_to_fp##digits##x2(                           \
      type x, __nv_fp##digits##_interpretation_t format, enum cudaRoundMode rounding) {                             \
    return static_cast<__nv_fp##digits##x2_storage_t>(__nv_cvt_##element##_to_fp##digits(first, format, rounding) | \
                                                      __nv_cvt_##element##_to_fp##digits(second, format, rounding)  \
                                                          << pair_shift);                                           \
  }
#define COHORT_FINITE_CONVERSIONS(digits, pair_shift)                                                                 \
  COHORT_FINITE_CONVERSION(digits, double, double, x)                                                                 \
  COHORT_FINITE_CONVERSION(digits, float, float, static_cast<double>(x))                                              \
  COHORT_FINITE_CONVERSION(digits, __half_raw, halfraw, static_cast<double>(static_cast<float>(__half(x))))           \
  COHORT_FINITE_CONVERSION(digits, __nv_bfloat16_raw, bfloat16raw, static_cast<double>(cohort_bfloat16_value(x.x)))   \
  COHORT_FINITE_PAIR_CONVERSION(digits, pair_shift, double2, double2, double, x.x, x.y)                               \
  COHORT_FINITE_PAIR_CONVERSION(digits, pair_shift, float2, float2, float, x.x, x.y)                                  \
  COHORT_FINITE_PAIR_CONVERSION(digits, pair_shift, __half2_raw, halfraw2, halfraw, __half_raw{x.x}, __half_raw{x.y}) \
  COHORT_FINITE_PAIR_CONVERSION(digits, pair_shift, __nv_bfloat162_raw, bfloat16raw2, bfloat16raw,                    \
                                __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})                                       \
  /* Exact: a half holds every number of these formats. */                                                            \
  COHORT_BOTH_FUNCTION __half_raw __nv_cvt_fp##digits##_to_halfraw(__nv_fp##digits##_storage_t x,                     \
                                                                   __nv_fp##digits##_interpretation_t format) {       \
    return static_cast<__half_raw>(__half(cohort_fp##digits##_value(x, format)));                                     \
  }                                                                                                                   \
  COHORT_BOTH_FUNCTION __half2_raw __nv_cvt_fp##digits##x2_to_halfraw2(__nv_fp##digits##x2_storage_t x,               \
                                                                       __nv_fp##digits##_interpretation_t format) {   \
    return {__nv_cvt_fp##digits##_to_halfraw(static_cast<__nv_fp##digits##_storage_t>(x), format).x,                  \
            __nv_cvt_fp##digits##_to_halfraw(static_cast<__nv_fp##digits##_storage_t>(x >> pair_shift), format).x};   \
  }
