// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions of CUDA that the C library lacks: reciprocals of roots and norms, functions of pi * x, norms
// in 3, 4 and n dimensions.
#pragma once

#include "c_math.h"

COHORT_BOTH_FUNCTION double rsqrt(double x) { return 1.0 / sqrt(x); }
COHORT_BOTH_FUNCTION float rsqrtf(float x) { return 1.0f / sqrtf(x); }
COHORT_BOTH_FUNCTION float rsqrt(float x) { return rsqrtf(x); }
COHORT_BOTH_FUNCTION void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
// The library's root has an error of a few units in the last place. One step of Newton's method, with the cube of y in
// two parts, reduces it to one.
COHORT_DEVICE_FUNCTION double rcbrt(double x) {
  const bool tiny = fabs(x) < 0x1p-1000;
  const double scaled = tiny ? x * 0x1p180 : x;
  double y = 1.0 / cbrt(scaled);
  if (fabs(y) > 0.0 && fabs(y) < __builtin_inf()) {
    const double square = y * y;
    const double cube = square * y;
    const double rest = fma(square, y, -cube) + fma(y, y, -square) * y;
    y += y * (fma(-scaled, cube, 1.0) - scaled * rest) * (1.0 / 3.0);
  }
  return tiny ? y * 0x1p60 : y;
}
COHORT_DEVICE_FUNCTION float rcbrtf(float x) { return static_cast<float>(rcbrt(static_cast<double>(x))); }
COHORT_DEVICE_FUNCTION float rcbrt(float x) { return rcbrtf(x); }
COHORT_DEVICE_FUNCTION float fdividef(float x, float y) { return x / y; }
COHORT_DEVICE_FUNCTION double fdivide(double x, double y) { return x / y; }
COHORT_DEVICE_FUNCTION float fdivide(float x, float y) { return x / y; }

// The C library has these names for double only.
COHORT_DEVICE_FUNCTION float exp10(float x) { return exp10f(x); }
COHORT_DEVICE_FUNCTION float j0(float x) { return j0f(x); }
COHORT_DEVICE_FUNCTION float j1(float x) { return j1f(x); }
COHORT_DEVICE_FUNCTION float jn(int n, float x) { return jnf(n, x); }
COHORT_DEVICE_FUNCTION float y0(float x) { return y0f(x); }
COHORT_DEVICE_FUNCTION float y1(float x) { return y1f(x); }
COHORT_DEVICE_FUNCTION float yn(int n, float x) { return ynf(n, x); }

// sin(pi * x) and cos(pi * x). The decomposition x = quarter / 2 + rest is exact, with |rest| <= 1/4, so whole and half
// numbers give exact results.
COHORT_DEVICE_FUNCTION void sincospi(double x, double* sine, double* cosine) {
  const double magnitude = fabs(x);
  if (!(magnitude < __builtin_inf())) {
    *sine = *cosine = __builtin_nan("");
    return;
  }
  // From 2^53 on every number is even.
  const double reduced = magnitude < 0x1p53 ? magnitude - 2.0 * floor(0.5 * magnitude) : 0.0;
  const double nearest = rint(2.0 * reduced);
  const double rest = reduced - 0.5 * nearest;
  const double s = sin(rest * 3.141592653589793238462643383279502884);
  const double c = cos(rest * 3.141592653589793238462643383279502884);
  const int quarter = static_cast<int>(nearest) & 3;
  const double sine_of_magnitude = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  const double cosine_of_magnitude = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
  // Zeros: sinpi(n) has the sign of x, cospi(n + 1/2) is +0.
  *sine = sine_of_magnitude == 0.0 ? copysign(0.0, x) : x < 0.0 ? -sine_of_magnitude : sine_of_magnitude;
  *cosine = cosine_of_magnitude + 0.0;
}
COHORT_DEVICE_FUNCTION double sinpi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return s;
}
COHORT_DEVICE_FUNCTION double cospi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return c;
}
COHORT_DEVICE_FUNCTION void sincospif(float x, float* sine, float* cosine) {
  double s, c;
  sincospi(x, &s, &c);
  *sine = static_cast<float>(s);
  *cosine = static_cast<float>(c);
}
COHORT_DEVICE_FUNCTION float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
COHORT_DEVICE_FUNCTION float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
COHORT_DEVICE_FUNCTION float sinpi(float x) { return sinpif(x); }
COHORT_DEVICE_FUNCTION float cospi(float x) { return cospif(x); }
COHORT_DEVICE_FUNCTION void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
// Angles in cycles, since CUDA 13.5. Twice a float is exact in double.
COHORT_DEVICE_FUNCTION float __sin2pif(float x) { return static_cast<float>(sinpi(2.0 * static_cast<double>(x))); }
COHORT_DEVICE_FUNCTION float __cos2pif(float x) { return static_cast<float>(cospi(2.0 * static_cast<double>(x))); }
COHORT_DEVICE_FUNCTION void __sincos2pif(float x, float* sine, float* cosine) {
  *sine = __sin2pif(x);
  *cosine = __cos2pif(x);
}

// Euclidean norms without overflow or underflow in between. An infinite component outweighs a NaN.
COHORT_DEVICE_FUNCTION double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
COHORT_DEVICE_FUNCTION double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
COHORT_DEVICE_FUNCTION double norm(int dimension, const double* p) {
  double length = 0.0;
  for (int i = 0; i < dimension; ++i) length = hypot(length, p[i]);
  return length;
}
COHORT_DEVICE_FUNCTION float norm3df(float a, float b, float c) {
  return static_cast<float>(norm3d(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}
COHORT_DEVICE_FUNCTION float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(
      norm4d(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c), static_cast<double>(d)));
}
COHORT_DEVICE_FUNCTION float normf(int dimension, const float* p) {
  double length = 0.0;
  for (int i = 0; i < dimension; ++i) length = hypot(length, static_cast<double>(p[i]));
  return static_cast<float>(length);
}

COHORT_DEVICE_FUNCTION double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
COHORT_DEVICE_FUNCTION float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
COHORT_DEVICE_FUNCTION double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
COHORT_DEVICE_FUNCTION double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
COHORT_DEVICE_FUNCTION double rnorm(int dimension, const double* p) { return 1.0 / norm(dimension, p); }
COHORT_DEVICE_FUNCTION float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
COHORT_DEVICE_FUNCTION float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }
COHORT_DEVICE_FUNCTION float rnormf(int dimension, const float* p) { return 1.0f / normf(dimension, p); }
