// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for arithmetic of inline PTX.
#pragma once

#include "../small_floats/bfloat16_fma.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

// a * b + c on floats that bf16 holds, rounded once to a float that it holds.
COHORT_PTX_FUNCTION float cohort_ptx_bf16_fma(float a, float b, float c) {
  return cohort_bfloat16_value(cohort_bfloat16_fma_bits(a, b, c));
}

#endif
