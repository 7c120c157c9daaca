// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for arithmetic of inline PTX.
#pragma once

#include "../math/rounding.h"
#include "../small_floats/bfloat16_fma.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

// a * b + c on floats that bf16 holds, rounded once to a float that it holds.
COHORT_PTX_FUNCTION float cohort_ptx_bf16_fma(float a, float b, float c) {
  return cohort_bfloat16_value(cohort_bfloat16_fma_bits(a, b, c));
}

// `rounding` is a number of cohort_rounding other than nearest.
#define COHORT_PTX_DIRECTED(type, name, parameters, operation, arguments)                                            \
  COHORT_PTX_FUNCTION type cohort_ptx_##name(parameters, unsigned int rounding) {                                    \
    return rounding == static_cast<unsigned int>(cohort_rounding::zero) ? operation<cohort_rounding::zero> arguments \
           : rounding == static_cast<unsigned int>(cohort_rounding::up) ? operation<cohort_rounding::up> arguments   \
                                                                        : operation<cohort_rounding::down>           \
                                                                              arguments;                             \
  }
#define COHORT_PTX_COMMA ,
#define COHORT_PTX_ARITHMETIC(type, suffix)                                                                            \
  COHORT_PTX_DIRECTED(type, add_##suffix, type a COHORT_PTX_COMMA type b, cohort_add, (a, b))                          \
  COHORT_PTX_DIRECTED(type, mul_##suffix, type a COHORT_PTX_COMMA type b, cohort_multiply, (a, b))                     \
  COHORT_PTX_DIRECTED(type, div_##suffix, type a COHORT_PTX_COMMA type b, cohort_divide, (a, b))                       \
  COHORT_PTX_DIRECTED(type, fma_##suffix, type a COHORT_PTX_COMMA type b COHORT_PTX_COMMA type c, cohort_multiply_add, \
                      (a, b, c))                                                                                       \
  COHORT_PTX_DIRECTED(type, sqrt_##suffix, type a, cohort_square_root, (a))
COHORT_PTX_ARITHMETIC(float, f32)
COHORT_PTX_ARITHMETIC(double, f64)
#undef COHORT_PTX_ARITHMETIC
#undef COHORT_PTX_COMMA
#undef COHORT_PTX_DIRECTED

#endif
