// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of 8-bit floats. As in CUDA, conversions from and to them are explicit, and those from other numbers
// saturate at the largest finite number.
#pragma once

#include "../device/small_floats/truncated_integer.h"
#include "conversions.h"

#define COHORT_FLOAT8_NUMBER(name, format, type)                                       \
  COHORT_BOTH_MEMBER explicit name(type x)                                             \
      : __x(__nv_cvt_double_to_fp8(static_cast<double>(x), __NV_SATFINITE, format)) {} \
  COHORT_BOTH_MEMBER explicit operator type() const {                                  \
    return cohort_truncated_integer<type>(cohort_fp8_value(__x, format));              \
  }
#define COHORT_FLOAT8_TYPE(name, format)                                                                   \
  struct name {                                                                                            \
    __nv_fp8_storage_t __x;                                                                                \
    name() = default;                                                                                      \
    COHORT_BOTH_MEMBER explicit name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, format)) {} \
    COHORT_BOTH_MEMBER explicit name(float x) : name(static_cast<double>(x)) {}                            \
    COHORT_BOTH_MEMBER explicit name(__half x) : name(static_cast<float>(x)) {}                            \
    COHORT_BOTH_MEMBER explicit name(__nv_bfloat16 x) : name(static_cast<float>(x)) {}                     \
    COHORT_FLOAT8_NUMBER(name, format, short)                                                              \
    COHORT_FLOAT8_NUMBER(name, format, unsigned short)                                                     \
    COHORT_FLOAT8_NUMBER(name, format, int)                                                                \
    COHORT_FLOAT8_NUMBER(name, format, unsigned int)                                                       \
    COHORT_FLOAT8_NUMBER(name, format, long)                                                               \
    COHORT_FLOAT8_NUMBER(name, format, unsigned long)                                                      \
    COHORT_FLOAT8_NUMBER(name, format, long long)                                                          \
    COHORT_FLOAT8_NUMBER(name, format, unsigned long long)                                                 \
    COHORT_BOTH_MEMBER explicit operator signed char() const {                                             \
      return cohort_truncated_integer<signed char>(cohort_fp8_value(__x, format));                         \
    }                                                                                                      \
    COHORT_BOTH_MEMBER explicit operator unsigned char() const {                                           \
      return cohort_truncated_integer<unsigned char>(cohort_fp8_value(__x, format));                       \
    }                                                                                                      \
    COHORT_BOTH_MEMBER explicit operator char() const {                                                    \
      return cohort_truncated_integer<char>(cohort_fp8_value(__x, format));                                \
    }                                                                                                      \
    COHORT_BOTH_MEMBER explicit operator float() const { return cohort_fp8_value(__x, format); }           \
    COHORT_BOTH_MEMBER explicit operator double() const { return cohort_fp8_value(__x, format); }          \
    COHORT_BOTH_MEMBER explicit operator __half() const { return __half(cohort_fp8_value(__x, format)); }  \
    COHORT_BOTH_MEMBER explicit operator __nv_bfloat16() const {                                           \
      return __nv_bfloat16(cohort_fp8_value(__x, format));                                                 \
    }                                                                                                      \
    COHORT_BOTH_MEMBER explicit operator bool() const { return (__x & 0x7f) != 0; }                        \
  };                                                                                                       \
  static_assert(sizeof(name) == 1, "one byte");

COHORT_FLOAT8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
COHORT_FLOAT8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
#undef COHORT_FLOAT8_TYPE
#undef COHORT_FLOAT8_NUMBER

// Pairs and fours, first element in the low bits.
#define COHORT_FLOAT8_OF_DOUBLES(two, four, type) \
  COHORT_BOTH_MEMBER explicit four(type x)        \
      : __x(two(double2{x.x, x.y}).__x | static_cast<__nv_fp8x4_storage_t>(two(double2{x.z, x.w}).__x) << 16) {}
#define COHORT_FLOAT8_VECTORS(two, four, format)                                                                  \
  struct __attribute__((aligned(2))) two {                                                                        \
    __nv_fp8x2_storage_t __x;                                                                                     \
    two() = default;                                                                                              \
    COHORT_BOTH_MEMBER explicit two(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, format)) {}       \
    COHORT_BOTH_MEMBER explicit two(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, format)) {}     \
    COHORT_BOTH_MEMBER explicit two(__half2 x) : two(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {} \
    COHORT_BOTH_MEMBER explicit two(__nv_bfloat162 x)                                                             \
        : two(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}                                        \
    COHORT_BOTH_MEMBER explicit operator float2() const {                                                         \
      return float2{cohort_fp8_value(static_cast<__nv_fp8_storage_t>(__x & 0xff), format),                        \
                    cohort_fp8_value(static_cast<__nv_fp8_storage_t>(__x >> 8), format)};                         \
    }                                                                                                             \
    COHORT_BOTH_MEMBER explicit operator __half2() const {                                                        \
      const float2 both = static_cast<float2>(*this);                                                             \
      return __half2(__half(both.x), __half(both.y));                                                             \
    }                                                                                                             \
  };                                                                                                              \
  struct __attribute__((aligned(4))) four {                                                                       \
    __nv_fp8x4_storage_t __x;                                                                                     \
    four() = default;                                                                                             \
    COHORT_BOTH_MEMBER explicit four(float4 x)                                                                    \
        : __x(two(float2{x.x, x.y}).__x | static_cast<__nv_fp8x4_storage_t>(two(float2{x.z, x.w}).__x) << 16) {}  \
    COHORT_FLOAT8_OF_DOUBLES(two, four, double4)                                                                  \
    COHORT_FLOAT8_OF_DOUBLES(two, four, double4_16a)                                                              \
    COHORT_FLOAT8_OF_DOUBLES(two, four, double4_32a)                                                              \
    COHORT_BOTH_MEMBER explicit four(__half2 low, __half2 high)                                                   \
        : __x(two(low).__x | static_cast<__nv_fp8x4_storage_t>(two(high).__x) << 16) {}                           \
    COHORT_BOTH_MEMBER explicit four(__nv_bfloat162 low, __nv_bfloat162 high)                                     \
        : __x(two(low).__x | static_cast<__nv_fp8x4_storage_t>(two(high).__x) << 16) {}                           \
    COHORT_BOTH_MEMBER explicit operator float4() const {                                                         \
      two low, high;                                                                                              \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x & 0xffff);                                                  \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                                    \
      const float2 a = static_cast<float2>(low), b = static_cast<float2>(high);                                   \
      return float4{a.x, a.y, b.x, b.y};                                                                          \
    }                                                                                                             \
  };

COHORT_FLOAT8_VECTORS(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
COHORT_FLOAT8_VECTORS(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef COHORT_FLOAT8_VECTORS
#undef COHORT_FLOAT8_OF_DOUBLES
