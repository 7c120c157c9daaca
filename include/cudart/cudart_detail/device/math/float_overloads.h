// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The float forms of mathematical functions under the names of the double forms, and the tests of floats, as NVRTC
// declares them. Elsewhere they come from <cmath>.
#pragma once

#include "c_math.h"

#define COHORT_FLOAT_OVERLOAD(result, name) \
  COHORT_DEVICE_FUNCTION result name(float x) { return name##f(x); }

COHORT_FLOAT_OVERLOAD(float, acos)
COHORT_FLOAT_OVERLOAD(float, acosh)
COHORT_FLOAT_OVERLOAD(float, asin)
COHORT_FLOAT_OVERLOAD(float, asinh)
COHORT_FLOAT_OVERLOAD(float, atan)
COHORT_FLOAT_OVERLOAD(float, atanh)
COHORT_FLOAT_OVERLOAD(float, cbrt)
COHORT_FLOAT_OVERLOAD(float, ceil)
COHORT_FLOAT_OVERLOAD(float, cos)
COHORT_FLOAT_OVERLOAD(float, cosh)
COHORT_FLOAT_OVERLOAD(float, erf)
COHORT_FLOAT_OVERLOAD(float, erfc)
COHORT_FLOAT_OVERLOAD(float, exp)
COHORT_FLOAT_OVERLOAD(float, exp2)
COHORT_FLOAT_OVERLOAD(float, expm1)
COHORT_FLOAT_OVERLOAD(float, fabs)
COHORT_FLOAT_OVERLOAD(float, floor)
COHORT_FLOAT_OVERLOAD(float, lgamma)
COHORT_FLOAT_OVERLOAD(float, log)
COHORT_FLOAT_OVERLOAD(float, log10)
COHORT_FLOAT_OVERLOAD(float, log1p)
COHORT_FLOAT_OVERLOAD(float, log2)
COHORT_FLOAT_OVERLOAD(float, logb)
COHORT_FLOAT_OVERLOAD(float, nearbyint)
COHORT_FLOAT_OVERLOAD(float, rint)
COHORT_FLOAT_OVERLOAD(float, round)
COHORT_FLOAT_OVERLOAD(float, sin)
COHORT_FLOAT_OVERLOAD(float, sinh)
COHORT_FLOAT_OVERLOAD(float, sqrt)
COHORT_FLOAT_OVERLOAD(float, tan)
COHORT_FLOAT_OVERLOAD(float, tanh)
COHORT_FLOAT_OVERLOAD(float, tgamma)
COHORT_FLOAT_OVERLOAD(float, trunc)
COHORT_FLOAT_OVERLOAD(int, ilogb)
COHORT_FLOAT_OVERLOAD(long, lrint)
COHORT_FLOAT_OVERLOAD(long, lround)
COHORT_FLOAT_OVERLOAD(long long, llrint)
COHORT_FLOAT_OVERLOAD(long long, llround)
#undef COHORT_FLOAT_OVERLOAD

#define COHORT_FLOAT_OVERLOAD(name, second) \
  COHORT_DEVICE_FUNCTION float name(float x, second y) { return name##f(x, y); }

COHORT_FLOAT_OVERLOAD(atan2, float)
COHORT_FLOAT_OVERLOAD(copysign, float)
COHORT_FLOAT_OVERLOAD(fdim, float)
COHORT_FLOAT_OVERLOAD(fmax, float)
COHORT_FLOAT_OVERLOAD(fmin, float)
COHORT_FLOAT_OVERLOAD(fmod, float)
COHORT_FLOAT_OVERLOAD(hypot, float)
COHORT_FLOAT_OVERLOAD(ldexp, int)
COHORT_FLOAT_OVERLOAD(nextafter, float)
COHORT_FLOAT_OVERLOAD(pow, float)
COHORT_FLOAT_OVERLOAD(remainder, float)
COHORT_FLOAT_OVERLOAD(scalbln, long)
COHORT_FLOAT_OVERLOAD(scalbn, int)
#undef COHORT_FLOAT_OVERLOAD

COHORT_DEVICE_FUNCTION float pow(float x, int y) { return powf(x, static_cast<float>(y)); }
COHORT_DEVICE_FUNCTION double pow(double x, int y) { return pow(x, static_cast<double>(y)); }
COHORT_DEVICE_FUNCTION float abs(float x) { return fabsf(x); }
COHORT_DEVICE_FUNCTION double abs(double x) { return fabs(x); }
COHORT_DEVICE_FUNCTION float fma(float x, float y, float z) { return fmaf(x, y, z); }
COHORT_DEVICE_FUNCTION float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }

#define COHORT_FLOAT_TEST(name, builtin)                                  \
  COHORT_DEVICE_FUNCTION int name(float x) { return builtin(x) ? 1 : 0; } \
  COHORT_DEVICE_FUNCTION int name(double x) { return builtin(x) ? 1 : 0; }

COHORT_FLOAT_TEST(isfinite, __builtin_isfinite)
COHORT_FLOAT_TEST(isinf, __builtin_isinf)
COHORT_FLOAT_TEST(isnan, __builtin_isnan)
COHORT_FLOAT_TEST(signbit, __builtin_signbit)
#undef COHORT_FLOAT_TEST
