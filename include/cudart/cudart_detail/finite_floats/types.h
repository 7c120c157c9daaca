// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of floats of six and of four bits, by one macro. As in CUDA, conversions from and to them are explicit, and
// those from other numbers round to nearest and saturate.
#pragma once

#include "../device/small_floats/truncated_integer.h"
#include "conversion_functions.h"

#define COHORT_FINITE_NUMBER(name, digits, format, type)                     \
  COHORT_BOTH_MEMBER explicit name(type x) : name(static_cast<double>(x)) {} \
  COHORT_FINITE_INTEGER(digits, format, type)
#define COHORT_FINITE_INTEGER(digits, format, type)                                \
  COHORT_BOTH_MEMBER explicit operator type() const {                              \
    return cohort_truncated_integer<type>(cohort_fp##digits##_value(__x, format)); \
  }
#define COHORT_FINITE_TYPE(name, digits, format)                                                                    \
  struct name {                                                                                                     \
    __nv_fp##digits##_storage_t __x;                                                                                \
    name() = default;                                                                                               \
    COHORT_BOTH_MEMBER explicit name(double x) : __x(cohort_fp##digits##_bits(x, format, cudaRoundNearest)) {}      \
    COHORT_BOTH_MEMBER explicit name(float x) : name(static_cast<double>(x)) {}                                     \
    COHORT_BOTH_MEMBER explicit name(__half x) : name(static_cast<float>(x)) {}                                     \
    COHORT_BOTH_MEMBER explicit name(__nv_bfloat16 x) : name(static_cast<float>(x)) {}                              \
    COHORT_FINITE_NUMBER(name, digits, format, short)                                                               \
    COHORT_FINITE_NUMBER(name, digits, format, unsigned short)                                                      \
    COHORT_FINITE_NUMBER(name, digits, format, int)                                                                 \
    COHORT_FINITE_NUMBER(name, digits, format, unsigned int)                                                        \
    COHORT_FINITE_NUMBER(name, digits, format, long)                                                                \
    COHORT_FINITE_NUMBER(name, digits, format, unsigned long)                                                       \
    COHORT_FINITE_NUMBER(name, digits, format, long long)                                                           \
    COHORT_FINITE_NUMBER(name, digits, format, unsigned long long)                                                  \
    COHORT_FINITE_INTEGER(digits, format, char)                                                                     \
    COHORT_FINITE_INTEGER(digits, format, signed char)                                                              \
    COHORT_FINITE_INTEGER(digits, format, unsigned char)                                                            \
    COHORT_BOTH_MEMBER explicit operator float() const { return cohort_fp##digits##_value(__x, format); }           \
    COHORT_BOTH_MEMBER explicit operator double() const { return cohort_fp##digits##_value(__x, format); }          \
    COHORT_BOTH_MEMBER explicit operator __half() const { return __half(static_cast<float>(*this)); }               \
    COHORT_BOTH_MEMBER explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); } \
    COHORT_BOTH_MEMBER explicit operator bool() const { return static_cast<float>(*this) != 0; }                    \
  };                                                                                                                \
  static_assert(sizeof(name) == 1, "one byte");

// Pairs and fours, first element in the low bits.
#define COHORT_FINITE_OF_DOUBLES(two, four, type) \
  COHORT_BOTH_MEMBER explicit four(type x) : four(two(double2{x.x, x.y}), two(double2{x.z, x.w})) {}
#define COHORT_FINITE_VECTORS(two, four, digits, pair_shift, format)                                                   \
  struct __attribute__((aligned(sizeof(__nv_fp##digits##x2_storage_t)))) two {                                         \
    __nv_fp##digits##x2_storage_t __x;                                                                                 \
    two() = default;                                                                                                   \
    COHORT_BOTH_MEMBER explicit two(double2 x)                                                                         \
        : __x(__nv_cvt_double2_to_fp##digits##x2(x, format, cudaRoundNearest)) {}                                      \
    COHORT_BOTH_MEMBER explicit two(float2 x) : __x(__nv_cvt_float2_to_fp##digits##x2(x, format, cudaRoundNearest)) {} \
    COHORT_BOTH_MEMBER explicit two(__half2 x) : two(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}      \
    COHORT_BOTH_MEMBER explicit two(__nv_bfloat162 x)                                                                  \
        : two(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}                                             \
    COHORT_BOTH_MEMBER explicit operator float2() const {                                                              \
      return float2{cohort_fp##digits##_value(__x, format), cohort_fp##digits##_value(__x >> pair_shift, format)};     \
    }                                                                                                                  \
    COHORT_BOTH_MEMBER explicit operator __half2() const {                                                             \
      const float2 both = static_cast<float2>(*this);                                                                  \
      return __half2(__half(both.x), __half(both.y));                                                                  \
    }                                                                                                                  \
  };                                                                                                                   \
  struct __attribute__((aligned(sizeof(__nv_fp##digits##x4_storage_t)))) four {                                        \
    __nv_fp##digits##x4_storage_t __x;                                                                                 \
    four() = default;                                                                                                  \
    COHORT_BOTH_MEMBER explicit four(float4 x) : four(two(float2{x.x, x.y}), two(float2{x.z, x.w})) {}                 \
    COHORT_FINITE_OF_DOUBLES(two, four, double4)                                                                       \
    COHORT_FINITE_OF_DOUBLES(two, four, double4_16a)                                                                   \
    COHORT_FINITE_OF_DOUBLES(two, four, double4_32a)                                                                   \
    COHORT_BOTH_MEMBER explicit four(__half2 low, __half2 high) : four(two(low), two(high)) {}                         \
    COHORT_BOTH_MEMBER explicit four(__nv_bfloat162 low, __nv_bfloat162 high) : four(two(low), two(high)) {}           \
    COHORT_BOTH_MEMBER explicit operator float4() const {                                                              \
      return float4{cohort_fp##digits##_value(__x, format), cohort_fp##digits##_value(__x >> pair_shift, format),      \
                    cohort_fp##digits##_value(__x >> 2 * pair_shift, format),                                          \
                    cohort_fp##digits##_value(__x >> 3 * pair_shift, format)};                                         \
    }                                                                                                                  \
                                                                                                                       \
   private:                                                                                                            \
    COHORT_BOTH_MEMBER four(two low, two high)                                                                         \
        : __x(static_cast<__nv_fp##digits##x4_storage_t>(                                                              \
              low.__x | static_cast<__nv_fp##digits##x4_storage_t>(high.__x) << 2 * pair_shift)) {}                    \
  };
