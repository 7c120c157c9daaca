// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mathematical functions of 16-bit numbers and their pairs, computed in float.
#pragma once

#include "../device/math/c_math.h"
#include "../device/math/cuda_math.h"

#define COHORT_FLOAT_FUNCTION(element, pair, name, expression) \
  COHORT_DEVICE_FUNCTION element h##name(element h) {          \
    const float x = static_cast<float>(h);                     \
    return element(expression);                                \
  }                                                            \
  COHORT_DEVICE_FUNCTION pair h2##name(pair v) { return {h##name(v.x), h##name(v.y)}; }

#define COHORT_FLOAT_FUNCTIONS(element, pair)                 \
  COHORT_FLOAT_FUNCTION(element, pair, sqrt, sqrtf(x))        \
  COHORT_FLOAT_FUNCTION(element, pair, rsqrt, rsqrtf(x))      \
  COHORT_FLOAT_FUNCTION(element, pair, rcp, 1.0f / x)         \
  COHORT_FLOAT_FUNCTION(element, pair, exp, expf(x))          \
  COHORT_FLOAT_FUNCTION(element, pair, exp2, exp2f(x))        \
  COHORT_FLOAT_FUNCTION(element, pair, exp10, exp10f(x))      \
  COHORT_FLOAT_FUNCTION(element, pair, log, logf(x))          \
  COHORT_FLOAT_FUNCTION(element, pair, log2, log2f(x))        \
  COHORT_FLOAT_FUNCTION(element, pair, log10, log10f(x))      \
  COHORT_FLOAT_FUNCTION(element, pair, sin, sinf(x))          \
  COHORT_FLOAT_FUNCTION(element, pair, cos, cosf(x))          \
  COHORT_FLOAT_FUNCTION(element, pair, tanh, tanhf(x))        \
  COHORT_FLOAT_FUNCTION(element, pair, tanh_approx, tanhf(x)) \
  COHORT_FLOAT_FUNCTION(element, pair, floor, floorf(x))      \
  COHORT_FLOAT_FUNCTION(element, pair, ceil, ceilf(x))        \
  COHORT_FLOAT_FUNCTION(element, pair, trunc, truncf(x))      \
  COHORT_FLOAT_FUNCTION(element, pair, rint, rintf(x))
