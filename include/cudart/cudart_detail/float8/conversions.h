// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of 8-bit floats from and to other numbers. All go through double, which holds every value of the other
// types that are converted, so there is one rounding.
#pragma once

#include "../bfloat16/bfloat16.h"
#include "../device/small_floats/float8_bits.h"
#include "../half/half.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t {
  __NV_NOSAT,      // too large: NaN for E4M3, infinity for E5M2
  __NV_SATFINITE,  // too large: the largest finite number
} __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,  // 3 bits of mantissa, no infinity, 0x7f and 0xff are NaN
  __NV_E5M2,  // 2 bits of mantissa, as in IEEE 754
} __nv_fp8_interpretation_t;

COHORT_BOTH_FUNCTION constexpr int cohort_fp8_mantissa_bits(__nv_fp8_interpretation_t format) {
  return format == __NV_E4M3 ? 3 : 2;
}
COHORT_BOTH_FUNCTION constexpr __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                                         __nv_fp8_interpretation_t format) {
  return cohort_fp8_bits(x, saturate == __NV_SATFINITE, cohort_fp8_mantissa_bits(format));
}
COHORT_BOTH_FUNCTION constexpr float cohort_fp8_value(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  return cohort_fp8_value(x, cohort_fp8_mantissa_bits(format));
}

COHORT_BOTH_FUNCTION constexpr __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                                        __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(x, saturate, format);
}
COHORT_BOTH_FUNCTION __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                                __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(static_cast<float>(__half(x)), saturate, format);
}
COHORT_BOTH_FUNCTION __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                                    __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(cohort_bfloat16_value(x.x), saturate, format);
}

COHORT_BOTH_FUNCTION constexpr __nv_fp8x2_storage_t cohort_fp8_pair(__nv_fp8_storage_t x, __nv_fp8_storage_t y) {
  return static_cast<__nv_fp8x2_storage_t>(x | y << 8);
}
COHORT_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                                    __nv_fp8_interpretation_t format) {
  return cohort_fp8_pair(__nv_cvt_double_to_fp8(x.x, saturate, format), __nv_cvt_double_to_fp8(x.y, saturate, format));
}
COHORT_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                                   __nv_fp8_interpretation_t format) {
  return cohort_fp8_pair(__nv_cvt_float_to_fp8(x.x, saturate, format), __nv_cvt_float_to_fp8(x.y, saturate, format));
}
COHORT_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                                     __nv_fp8_interpretation_t format) {
  return cohort_fp8_pair(__nv_cvt_halfraw_to_fp8({x.x}, saturate, format),
                         __nv_cvt_halfraw_to_fp8({x.y}, saturate, format));
}
COHORT_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                                         __nv_saturation_t saturate,
                                                                         __nv_fp8_interpretation_t format) {
  return cohort_fp8_pair(__nv_cvt_bfloat16raw_to_fp8({x.x}, saturate, format),
                         __nv_cvt_bfloat16raw_to_fp8({x.y}, saturate, format));
}

// Exact: a half holds every 8-bit float.
COHORT_BOTH_FUNCTION __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  return static_cast<__half_raw>(__half(cohort_fp8_value(x, format)));
}
COHORT_BOTH_FUNCTION __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x & 0xff), format).x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), format).x};
}

// E8M0: a power of two from 2^-127 (code 0) to 2^127; 0xff is NaN. The sign of the number is dropped, and numbers below
// the range become its least one. `rounding` is cudaRoundZero (down) or cudaRoundPosInf (up).
COHORT_BOTH_FUNCTION constexpr __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                                          enum cudaRoundMode rounding) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x) & ~(1ull << 63);
  if (x != x) return 0xff;
  const bool is_power = (bits & ((1ull << 52) - 1)) == 0;
  const int exponent = static_cast<int>(bits >> 52) - 1023 + (rounding == cudaRoundPosInf && !is_power);
  const bool is_infinite = bits >> 52 == 0x7ff;
  const bool to_finite = saturate == __NV_SATFINITE || (rounding == cudaRoundZero && !is_infinite);
  if (exponent > 127) return to_finite ? 0xfe : 0xff;
  return static_cast<__nv_fp8_storage_t>(exponent < -127 ? 0 : exponent + 127);
}
COHORT_BOTH_FUNCTION constexpr __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                                         enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(x, saturate, rounding);
}
COHORT_BOTH_FUNCTION __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                                     enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(cohort_bfloat16_value(x.x), saturate, rounding);
}
// Exact: 2^-127 is a denormal bfloat16.
COHORT_BOTH_FUNCTION __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return {static_cast<unsigned short>(x == 0xff ? 0x7fff : x == 0 ? 0x40 : x << 7)};
}
COHORT_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate,
                                                                     enum cudaRoundMode rounding) {
  return cohort_fp8_pair(__nv_cvt_double_to_e8m0(x.x, saturate, rounding),
                         __nv_cvt_double_to_e8m0(x.y, saturate, rounding));
}
COHORT_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate,
                                                                    enum cudaRoundMode rounding) {
  return cohort_fp8_pair(__nv_cvt_float_to_e8m0(x.x, saturate, rounding),
                         __nv_cvt_float_to_e8m0(x.y, saturate, rounding));
}
COHORT_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x,
                                                                          __nv_saturation_t saturate,
                                                                          enum cudaRoundMode rounding) {
  return cohort_fp8_pair(__nv_cvt_bfloat16raw_to_e8m0({x.x}, saturate, rounding),
                         __nv_cvt_bfloat16raw_to_e8m0({x.y}, saturate, rounding));
}
COHORT_BOTH_FUNCTION __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return {__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x & 0xff)).x,
          __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8)).x};
}
