// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's fast approximations. Here they are as exact as the functions that they approximate.
#pragma once

#include "c_math.h"

COHORT_DEVICE_FUNCTION float __sinf(float x) { return sinf(x); }
COHORT_DEVICE_FUNCTION float __cosf(float x) { return cosf(x); }
COHORT_DEVICE_FUNCTION float __tanf(float x) { return tanf(x); }
COHORT_DEVICE_FUNCTION float __tanhf(float x) { return tanhf(x); }
COHORT_DEVICE_FUNCTION float __expf(float x) { return expf(x); }
COHORT_DEVICE_FUNCTION float __exp10f(float x) { return exp10f(x); }
COHORT_DEVICE_FUNCTION float __logf(float x) { return logf(x); }
COHORT_DEVICE_FUNCTION float __log2f(float x) { return log2f(x); }
COHORT_DEVICE_FUNCTION float __log10f(float x) { return log10f(x); }
COHORT_DEVICE_FUNCTION float __powf(float x, float y) { return powf(x, y); }
// A divisor beyond 2^126 gives 0, and NaN with an infinite dividend (CUDA math API, __fdividef).
COHORT_DEVICE_FUNCTION float __fdividef(float x, float y) {
  return __builtin_fabsf(y) > 0x1p126f && __builtin_isfinite(y) ? x * __builtin_copysignf(0.0f, y) : x / y;
}
COHORT_DEVICE_FUNCTION void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }

// x clamped to [0, 1]; NaN gives 0.
COHORT_DEVICE_FUNCTION float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
