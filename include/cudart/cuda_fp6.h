// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point numbers of six bits, E2M3 and E3M2: single, in pairs and in fours, for host and device. Each has a
// byte.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_fp8.h"

#include "cudart_detail/finite_floats/types.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t {
  __NV_E2M3,  // holds numbers up to 7.5
  __NV_E3M2,  // holds numbers up to 28
} __nv_fp6_interpretation_t;

COHORT_BOTH_FUNCTION constexpr __nv_fp6_storage_t cohort_fp6_bits(double x, __nv_fp6_interpretation_t format,
                                                                  enum cudaRoundMode rounding) {
  return format == __NV_E2M3 ? cohort_finite_bits(x, 2, 3, rounding) : cohort_finite_bits(x, 3, 2, rounding);
}
COHORT_BOTH_FUNCTION constexpr float cohort_fp6_value(unsigned int x, __nv_fp6_interpretation_t format) {
  return format == __NV_E2M3 ? cohort_finite_value(x, 2, 3) : cohort_finite_value(x, 3, 2);
}

COHORT_FINITE_CONVERSIONS(6, 8)
COHORT_FINITE_TYPE(__nv_fp6_e2m3, 6, __NV_E2M3)
COHORT_FINITE_TYPE(__nv_fp6_e3m2, 6, __NV_E3M2)
COHORT_FINITE_VECTORS(__nv_fp6x2_e2m3, __nv_fp6x4_e2m3, 6, 8, __NV_E2M3)
COHORT_FINITE_VECTORS(__nv_fp6x2_e3m2, __nv_fp6x4_e3m2, 6, 8, __NV_E3M2)

#include <cohort/base/user_macros/on.hpp>
