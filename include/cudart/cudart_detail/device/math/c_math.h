// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's mathematical functions as __device__ functions, float and double.
//
// Include it before <cmath>: the library's `using ::pow` must find these overloads, since std::pow and the templates
// that call it see only earlier declarations. The std:: overloads for float and for integers are the library's own:
// they are constexpr, so device code may call them, and they end in the same builtins. These functions do not set
// errno; CUDA's do not either.
#pragma once

#include "../macros.h"

// Functions such as `sin` and `sinf` as clang's elementwise builtin. It becomes an LLVM intrinsic, never sets errno and
// can be vectorised.
#define COHORT_MATH_INTRINSIC(name, operation)                                                  \
  COHORT_DEVICE_FUNCTION double name(double x) { return __builtin_elementwise_##operation(x); } \
  COHORT_DEVICE_FUNCTION float name##f(float x) { return __builtin_elementwise_##operation(x); }

COHORT_MATH_INTRINSIC(ceil, ceil)
COHORT_MATH_INTRINSIC(cos, cos)
COHORT_MATH_INTRINSIC(exp, exp)
COHORT_MATH_INTRINSIC(exp2, exp2)
COHORT_MATH_INTRINSIC(fabs, abs)
COHORT_MATH_INTRINSIC(floor, floor)
COHORT_MATH_INTRINSIC(log, log)
COHORT_MATH_INTRINSIC(log10, log10)
COHORT_MATH_INTRINSIC(log2, log2)
COHORT_MATH_INTRINSIC(nearbyint, nearbyint)
COHORT_MATH_INTRINSIC(rint, rint)
COHORT_MATH_INTRINSIC(round, round)
COHORT_MATH_INTRINSIC(sin, sin)
COHORT_MATH_INTRINSIC(sqrt, sqrt)
COHORT_MATH_INTRINSIC(trunc, trunc)
#undef COHORT_MATH_INTRINSIC

// Functions of the C library, through the builtin of the same name.
#define COHORT_MATH_1(result, result_float, name)                              \
  COHORT_DEVICE_FUNCTION result name(double x) { return __builtin_##name(x); } \
  COHORT_DEVICE_FUNCTION result_float name##f(float x) { return __builtin_##name##f(x); }

COHORT_MATH_1(double, float, acos)
COHORT_MATH_1(double, float, acosh)
COHORT_MATH_1(double, float, asin)
COHORT_MATH_1(double, float, asinh)
COHORT_MATH_1(double, float, atan)
COHORT_MATH_1(double, float, atanh)
COHORT_MATH_1(double, float, cbrt)
COHORT_MATH_1(double, float, cosh)
COHORT_MATH_1(double, float, erf)
COHORT_MATH_1(double, float, erfc)
COHORT_MATH_1(double, float, exp10)
COHORT_MATH_1(double, float, expm1)
COHORT_MATH_1(double, float, lgamma)
COHORT_MATH_1(double, float, log1p)
COHORT_MATH_1(double, float, logb)
COHORT_MATH_1(double, float, sinh)
COHORT_MATH_1(double, float, tan)
COHORT_MATH_1(double, float, tanh)
COHORT_MATH_1(double, float, tgamma)
COHORT_MATH_1(int, int, ilogb)
COHORT_MATH_1(long, long, lrint)
COHORT_MATH_1(long, long, lround)
COHORT_MATH_1(long long, long long, llrint)
COHORT_MATH_1(long long, long long, llround)
#undef COHORT_MATH_1

#define COHORT_MATH_2(name)                                                                 \
  COHORT_DEVICE_FUNCTION double name(double x, double y) { return __builtin_##name(x, y); } \
  COHORT_DEVICE_FUNCTION float name##f(float x, float y) { return __builtin_##name##f(x, y); }

COHORT_MATH_2(atan2)
COHORT_MATH_2(copysign)
COHORT_MATH_2(fdim)
COHORT_MATH_2(fmax)
COHORT_MATH_2(fmin)
COHORT_MATH_2(fmod)
COHORT_MATH_2(hypot)
COHORT_MATH_2(nextafter)
COHORT_MATH_2(remainder)
#undef COHORT_MATH_2

COHORT_DEVICE_FUNCTION double pow(double x, double y) { return __builtin_elementwise_pow(x, y); }
COHORT_DEVICE_FUNCTION float powf(float x, float y) { return __builtin_elementwise_pow(x, y); }

COHORT_DEVICE_FUNCTION double fma(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }
COHORT_DEVICE_FUNCTION float fmaf(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }

COHORT_DEVICE_FUNCTION double frexp(double x, int* exponent) { return __builtin_frexp(x, exponent); }
COHORT_DEVICE_FUNCTION float frexpf(float x, int* exponent) { return __builtin_frexpf(x, exponent); }
COHORT_DEVICE_FUNCTION float frexp(float x, int* exponent) { return __builtin_frexpf(x, exponent); }
COHORT_DEVICE_FUNCTION double modf(double x, double* whole) { return __builtin_modf(x, whole); }
COHORT_DEVICE_FUNCTION float modff(float x, float* whole) { return __builtin_modff(x, whole); }
COHORT_DEVICE_FUNCTION float modf(float x, float* whole) { return __builtin_modff(x, whole); }
COHORT_DEVICE_FUNCTION double remquo(double x, double y, int* quotient) { return __builtin_remquo(x, y, quotient); }
COHORT_DEVICE_FUNCTION float remquof(float x, float y, int* quotient) { return __builtin_remquof(x, y, quotient); }

COHORT_DEVICE_FUNCTION double ldexp(double x, int exponent) { return __builtin_ldexp(x, exponent); }
COHORT_DEVICE_FUNCTION float ldexpf(float x, int exponent) { return __builtin_ldexpf(x, exponent); }
COHORT_DEVICE_FUNCTION double scalbn(double x, int exponent) { return __builtin_scalbn(x, exponent); }
COHORT_DEVICE_FUNCTION float scalbnf(float x, int exponent) { return __builtin_scalbnf(x, exponent); }
COHORT_DEVICE_FUNCTION double scalbln(double x, long exponent) { return __builtin_scalbln(x, exponent); }
COHORT_DEVICE_FUNCTION float scalblnf(float x, long exponent) { return __builtin_scalblnf(x, exponent); }

// Returns a NaN without the payload that the text names; CUDA does not promise the payload either.
COHORT_DEVICE_FUNCTION double nan(const char*) { return __builtin_nan(""); }
COHORT_DEVICE_FUNCTION float nanf(const char*) { return __builtin_nanf(""); }

// The lowest integer is its own magnitude.
COHORT_DEVICE_FUNCTION int abs(int x) { return __builtin_elementwise_abs(x); }
COHORT_DEVICE_FUNCTION long abs(long x) { return __builtin_elementwise_abs(x); }
COHORT_DEVICE_FUNCTION long long abs(long long x) { return __builtin_elementwise_abs(x); }
COHORT_DEVICE_FUNCTION long labs(long x) { return __builtin_elementwise_abs(x); }
COHORT_DEVICE_FUNCTION long long llabs(long long x) { return __builtin_elementwise_abs(x); }

COHORT_DEVICE_FUNCTION void sincos(double x, double* sine, double* cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
COHORT_DEVICE_FUNCTION void sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

// Bessel functions. clang has no builtins for them, so these declarations name the C library's symbols.
#define COHORT_MATH_BESSEL(name)                                                                                 \
  __attribute__((device, const)) double name##0(double x) __asm__(#name "0");                                    \
  __attribute__((device, const)) double name##1(double x) __asm__(#name "1");                                    \
  __attribute__((device, const)) double name##n(int order, double x) __asm__(#name "n");                         \
  COHORT_DEVICE_FUNCTION float name##0f(float x) { return static_cast<float>(name##0(static_cast<double>(x))); } \
  COHORT_DEVICE_FUNCTION float name##1f(float x) { return static_cast<float>(name##1(static_cast<double>(x))); } \
  COHORT_DEVICE_FUNCTION float name##nf(int order, float x) {                                                    \
    return static_cast<float>(name##n(order, static_cast<double>(x)));                                           \
  }

COHORT_MATH_BESSEL(j)
COHORT_MATH_BESSEL(y)
#undef COHORT_MATH_BESSEL
