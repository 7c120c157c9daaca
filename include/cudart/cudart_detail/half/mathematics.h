// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions of __half and __half2, computed in float.
#pragma once

#include "../device/math/c_math.h"
#include "../device/math/cuda_math.h"
#include "half2.h"

#define COHORT_HALF_MATH(name, expression)          \
  COHORT_DEVICE_FUNCTION __half h##name(__half h) { \
    const float x = __half2float(h);                \
    return __half(expression);                      \
  }                                                 \
  COHORT_DEVICE_FUNCTION __half2 h2##name(__half2 v) { return {h##name(v.x), h##name(v.y)}; }

COHORT_HALF_MATH(sqrt, sqrtf(x))
COHORT_HALF_MATH(rsqrt, rsqrtf(x))
COHORT_HALF_MATH(rcp, 1.0f / x)
COHORT_HALF_MATH(exp, expf(x))
COHORT_HALF_MATH(exp2, exp2f(x))
COHORT_HALF_MATH(exp10, exp10f(x))
COHORT_HALF_MATH(log, logf(x))
COHORT_HALF_MATH(log2, log2f(x))
COHORT_HALF_MATH(log10, log10f(x))
COHORT_HALF_MATH(sin, sinf(x))
COHORT_HALF_MATH(cos, cosf(x))
COHORT_HALF_MATH(tanh, tanhf(x))
COHORT_HALF_MATH(floor, floorf(x))
COHORT_HALF_MATH(ceil, ceilf(x))
COHORT_HALF_MATH(trunc, truncf(x))
COHORT_HALF_MATH(rint, rintf(x))
#undef COHORT_HALF_MATH
