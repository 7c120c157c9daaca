// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with an explicit rounding: __fadd_rn, __dmul_ru, __fsqrt_rz ... The compiler never contracts it.
#pragma once

#include "../../../vector_types.h"
#include "rounding.h"

// `letter`: stands for the type in most names. `fma`: the name of the fused operation.
#define COHORT_ROUNDED(type, letter, fma, suffix, mode)                                                               \
  COHORT_DEVICE_FUNCTION_ON_USE type __##letter##add_##suffix(type x, type y) { return cohort_add<mode>(x, y); }      \
  COHORT_DEVICE_FUNCTION_ON_USE type __##letter##sub_##suffix(type x, type y) { return cohort_add<mode>(x, -y); }     \
  COHORT_DEVICE_FUNCTION_ON_USE type __##letter##mul_##suffix(type x, type y) { return cohort_multiply<mode>(x, y); } \
  COHORT_DEVICE_FUNCTION_ON_USE type __##fma##_##suffix(type x, type y, type z) {                                     \
    return cohort_multiply_add<mode>(x, y, z);                                                                        \
  }                                                                                                                   \
  COHORT_DEVICE_FUNCTION_ON_USE type __##letter##div_##suffix(type x, type y) { return cohort_divide<mode>(x, y); }   \
  COHORT_DEVICE_FUNCTION_ON_USE type __##letter##rcp_##suffix(type x) {                                               \
    return cohort_divide<mode>(static_cast<type>(1), x);                                                              \
  }                                                                                                                   \
  COHORT_DEVICE_FUNCTION_ON_USE type __##letter##sqrt_##suffix(type x) { return cohort_square_root<mode>(x); }

COHORT_ROUNDED(float, f, fmaf, rn, cohort_rounding::nearest)
COHORT_ROUNDED(float, f, fmaf, rz, cohort_rounding::zero)
COHORT_ROUNDED(float, f, fmaf, ru, cohort_rounding::up)
COHORT_ROUNDED(float, f, fmaf, rd, cohort_rounding::down)
COHORT_ROUNDED(double, d, fma, rn, cohort_rounding::nearest)
COHORT_ROUNDED(double, d, fma, rz, cohort_rounding::zero)
COHORT_ROUNDED(double, d, fma, ru, cohort_rounding::up)
COHORT_ROUNDED(double, d, fma, rd, cohort_rounding::down)
#undef COHORT_ROUNDED

// Two floats at once, and the fused operation under its second name.
#define COHORT_ROUNDED_PAIR(suffix, mode)                                                        \
  COHORT_DEVICE_FUNCTION_ON_USE float2 __fadd2_##suffix(float2 x, float2 y) {                    \
    return {cohort_add<mode>(x.x, y.x), cohort_add<mode>(x.y, y.y)};                             \
  }                                                                                              \
  COHORT_DEVICE_FUNCTION_ON_USE float2 __fmul2_##suffix(float2 x, float2 y) {                    \
    return {cohort_multiply<mode>(x.x, y.x), cohort_multiply<mode>(x.y, y.y)};                   \
  }                                                                                              \
  COHORT_DEVICE_FUNCTION_ON_USE float2 __ffma2_##suffix(float2 x, float2 y, float2 z) {          \
    return {cohort_multiply_add<mode>(x.x, y.x, z.x), cohort_multiply_add<mode>(x.y, y.y, z.y)}; \
  }                                                                                              \
  COHORT_DEVICE_FUNCTION_ON_USE float __fmaf_ieee_##suffix(float x, float y, float z) {          \
    return cohort_multiply_add<mode>(x, y, z);                                                   \
  }

COHORT_ROUNDED_PAIR(rn, cohort_rounding::nearest)
COHORT_ROUNDED_PAIR(rz, cohort_rounding::zero)
COHORT_ROUNDED_PAIR(ru, cohort_rounding::up)
COHORT_ROUNDED_PAIR(rd, cohort_rounding::down)
#undef COHORT_ROUNDED_PAIR

// 1 / sqrt(x), rounded to nearest. The computation in double is right for every float: all mantissas were tried.
COHORT_DEVICE_FUNCTION float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / __builtin_elementwise_sqrt(static_cast<double>(x)));
}
