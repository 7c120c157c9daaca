// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with an explicit rounding: __fadd_rn, __dmul_ru, __fsqrt_rz ... The compiler never contracts it.
#pragma once

#include "rounding.h"

#define COHORT_ROUNDED(suffix, mode)                                                                               \
  COHORT_DEVICE_FUNCTION_ON_USE float __fadd_##suffix(float x, float y) { return cohort_add<mode>(x, y); }         \
  COHORT_DEVICE_FUNCTION_ON_USE float __fsub_##suffix(float x, float y) { return cohort_add<mode>(x, -y); }        \
  COHORT_DEVICE_FUNCTION_ON_USE float __fmul_##suffix(float x, float y) { return cohort_multiply<mode>(x, y); }    \
  COHORT_DEVICE_FUNCTION_ON_USE float __fmaf_##suffix(float x, float y, float z) {                                 \
    return cohort_multiply_add<mode>(x, y, z);                                                                     \
  }                                                                                                                \
  COHORT_DEVICE_FUNCTION_ON_USE float __fdiv_##suffix(float x, float y) { return cohort_divide<mode>(x, y); }      \
  COHORT_DEVICE_FUNCTION_ON_USE float __frcp_##suffix(float x) { return cohort_divide<mode>(1.0f, x); }            \
  COHORT_DEVICE_FUNCTION_ON_USE float __fsqrt_##suffix(float x) { return cohort_square_root<mode>(x); }            \
  COHORT_DEVICE_FUNCTION_ON_USE double __dadd_##suffix(double x, double y) { return cohort_add<mode>(x, y); }      \
  COHORT_DEVICE_FUNCTION_ON_USE double __dsub_##suffix(double x, double y) { return cohort_add<mode>(x, -y); }     \
  COHORT_DEVICE_FUNCTION_ON_USE double __dmul_##suffix(double x, double y) { return cohort_multiply<mode>(x, y); } \
  COHORT_DEVICE_FUNCTION_ON_USE double __fma_##suffix(double x, double y, double z) {                              \
    return cohort_multiply_add<mode>(x, y, z);                                                                     \
  }                                                                                                                \
  COHORT_DEVICE_FUNCTION_ON_USE double __ddiv_##suffix(double x, double y) { return cohort_divide<mode>(x, y); }   \
  COHORT_DEVICE_FUNCTION_ON_USE double __drcp_##suffix(double x) { return cohort_divide<mode>(1.0, x); }           \
  COHORT_DEVICE_FUNCTION_ON_USE double __dsqrt_##suffix(double x) { return cohort_square_root<mode>(x); }

COHORT_ROUNDED(rn, cohort_rounding::nearest)
COHORT_ROUNDED(rz, cohort_rounding::zero)
COHORT_ROUNDED(ru, cohort_rounding::up)
COHORT_ROUNDED(rd, cohort_rounding::down)
#undef COHORT_ROUNDED

// 1 / sqrt(x), rounded to nearest. The computation in double is right for every float: all mantissas were tried.
COHORT_DEVICE_FUNCTION float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / __builtin_elementwise_sqrt(static_cast<double>(x)));
}
