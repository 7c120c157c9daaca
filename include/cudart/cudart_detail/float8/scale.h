// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of scales, E8M0: powers of two. Conversions are explicit, and those from numbers round up and saturate.
#pragma once

#include "float8.h"

#define COHORT_SCALE_FROM_INTEGER(type, wide)                                                                      \
  COHORT_BOTH_MEMBER explicit __nv_fp8_e8m0(type x) : __nv_fp8_e8m0(cohort_double_to_odd(static_cast<wide>(x))) {} \
  COHORT_SCALE_TO_INTEGER(type)
#define COHORT_SCALE_TO_INTEGER(type)                                 \
  COHORT_BOTH_MEMBER explicit operator type() const {                 \
    return cohort_truncated_integer<type>(static_cast<float>(*this)); \
  }

struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  COHORT_BOTH_MEMBER explicit __nv_fp8_e8m0(double x)
      : __x(__nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8_e8m0(float x) : __nv_fp8_e8m0(static_cast<double>(x)) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8_e8m0(__half x) : __nv_fp8_e8m0(static_cast<float>(x)) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8_e8m0(__nv_bfloat16 x) : __nv_fp8_e8m0(static_cast<float>(x)) {}
  COHORT_BOTH_MEMBER explicit operator __nv_bfloat16() const { return __nv_cvt_e8m0_to_bf16raw(__x); }
  COHORT_BOTH_MEMBER explicit operator float() const { return cohort_bfloat16_value(__nv_cvt_e8m0_to_bf16raw(__x).x); }
  COHORT_BOTH_MEMBER explicit operator double() const { return static_cast<float>(*this); }
  COHORT_BOTH_MEMBER explicit operator __half() const { return __half(static_cast<float>(*this)); }
  COHORT_BOTH_MEMBER explicit operator bool() const { return true; }
  COHORT_SCALE_FROM_INTEGER(short, long long)
  COHORT_SCALE_FROM_INTEGER(unsigned short, unsigned long long)
  COHORT_SCALE_FROM_INTEGER(int, long long)
  COHORT_SCALE_FROM_INTEGER(unsigned int, unsigned long long)
  COHORT_SCALE_FROM_INTEGER(long, long long)
  COHORT_SCALE_FROM_INTEGER(unsigned long, unsigned long long)
  COHORT_SCALE_FROM_INTEGER(long long, long long)
  COHORT_SCALE_FROM_INTEGER(unsigned long long, unsigned long long)
  COHORT_SCALE_TO_INTEGER(char)
  COHORT_SCALE_TO_INTEGER(signed char)
  COHORT_SCALE_TO_INTEGER(unsigned char)
};
#undef COHORT_SCALE_FROM_INTEGER
#undef COHORT_SCALE_TO_INTEGER
static_assert(sizeof(__nv_fp8_e8m0) == 1, "one byte");

// Pairs and fours, first element in the low bits.
struct __attribute__((aligned(2))) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e8m0() = default;
  COHORT_BOTH_MEMBER explicit __nv_fp8x2_e8m0(double2 x)
      : __x(__nv_cvt_double2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x2_e8m0(float2 x)
      : __x(__nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x2_e8m0(__half2 x)
      : __nv_fp8x2_e8m0(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x2_e8m0(__nv_bfloat162 x)
      : __nv_fp8x2_e8m0(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}
  COHORT_BOTH_MEMBER explicit operator __nv_bfloat162() const {
    const __nv_bfloat162_raw both = __nv_cvt_e8m0x2_to_bf162raw(__x);
    return __nv_bfloat162(__nv_bfloat16_raw{both.x}, __nv_bfloat16_raw{both.y});
  }
  COHORT_BOTH_MEMBER explicit operator float2() const {
    const __nv_bfloat162_raw both = __nv_cvt_e8m0x2_to_bf162raw(__x);
    return float2{cohort_bfloat16_value(both.x), cohort_bfloat16_value(both.y)};
  }
  COHORT_BOTH_MEMBER explicit operator __half2() const {
    const float2 both = static_cast<float2>(*this);
    return __half2(__half(both.x), __half(both.y));
  }
};
struct __attribute__((aligned(4))) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e8m0() = default;
  COHORT_BOTH_MEMBER explicit __nv_fp8x4_e8m0(float4 x)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(float2{x.x, x.y}), __nv_fp8x2_e8m0(float2{x.z, x.w})) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x4_e8m0(double4 x)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(double2{x.x, x.y}), __nv_fp8x2_e8m0(double2{x.z, x.w})) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x4_e8m0(double4_16a x)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(double2{x.x, x.y}), __nv_fp8x2_e8m0(double2{x.z, x.w})) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x4_e8m0(double4_32a x)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(double2{x.x, x.y}), __nv_fp8x2_e8m0(double2{x.z, x.w})) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x4_e8m0(__half2 low, __half2 high)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {}
  COHORT_BOTH_MEMBER explicit __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high)
      : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {}
  COHORT_BOTH_MEMBER explicit operator float4() const {
    __nv_fp8x2_e8m0 low, high;
    low.__x = static_cast<__nv_fp8x2_storage_t>(__x & 0xffff);
    high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);
    const float2 a = static_cast<float2>(low), b = static_cast<float2>(high);
    return float4{a.x, a.y, b.x, b.y};
  }

 private:
  COHORT_BOTH_MEMBER __nv_fp8x4_e8m0(__nv_fp8x2_e8m0 low, __nv_fp8x2_e8m0 high)
      : __x(low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16) {}
};
