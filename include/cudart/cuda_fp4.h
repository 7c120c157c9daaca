// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point numbers of four bits, E2M1: 0, 0.5, 1, 1.5, 2, 3, 4 and 6, for host and device. A byte holds one
// number or a pair.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_fp8.h"

#include "cudart_detail/finite_floats/types.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t {
  __NV_E2M1,
} __nv_fp4_interpretation_t;

COHORT_BOTH_FUNCTION constexpr __nv_fp4_storage_t cohort_fp4_bits(double x, __nv_fp4_interpretation_t,
                                                                  enum cudaRoundMode rounding) {
  return cohort_finite_bits(x, 2, 1, rounding);
}
COHORT_BOTH_FUNCTION constexpr float cohort_fp4_value(unsigned int x, __nv_fp4_interpretation_t) {
  return cohort_finite_value(x, 2, 1);
}

COHORT_FINITE_CONVERSIONS(4, 4)
COHORT_FINITE_TYPE(__nv_fp4_e2m1, 4, __NV_E2M1)
COHORT_FINITE_VECTORS(__nv_fp4x2_e2m1, __nv_fp4x4_e2m1, 4, 4, __NV_E2M1)

#include <cohort/base/user_macros/on.hpp>
