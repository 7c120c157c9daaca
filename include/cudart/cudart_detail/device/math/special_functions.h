// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions of CUDA that the C library lacks: inverses of the error function, the normal distribution, modified
// Bessel functions. The float forms are computed in double and rounded once.
#pragma once

#include "c_math.h"

// exp(x * x) * erfc(x).
COHORT_DEVICE_FUNCTION double erfcx(double x) {
  const double magnitude = fabs(x);
  if (!(magnitude < 10.0) && x == x && x > 0.0) {
    // Asymptotic series; from 10 on its smallest term is far below the precision of double.
    const double step = -0.5 / (x * x);
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 20; ++k) {
      term *= step * (2 * k - 1);
      sum += term;
    }
    return sum / (x * 1.772453850905516027298167483341145183);
  }
  // The square in two parts, since exp() multiplies the square's error by the square.
  const double square = x * x;
  const double exponential = exp(square);
  const double value = exponential * erfc(x);
  return square < __builtin_inf() ? fma(value, fma(x, x, -square), value) : value;
}

// The x with erfc(x) = w, for w in (0, 1/2].
COHORT_DEVICE_FUNCTION double cohort_erfcinv_tail(double w) {
  const double target = -log(w);
  double x = sqrt(fmax(target - 0.5 * log(3.1 * target), 0.2));
  // Newton's iteration on log(erfc(x)) = log(erfcx(x)) - x * x. The function is concave, so overshoot stays harmless.
  for (int i = 0; i < 5; ++i) {
    const double scaled = erfcx(x);
    const double square = x * x;
    const double error = (target - square) + (log(scaled) - fma(x, x, -square));
    x += error * scaled * 0.886226925452758013649083741670572592;
  }
  return x;
}

// The x with erf(x) = y, for |y| <= 1/2.
COHORT_DEVICE_FUNCTION double cohort_erfinv_center(double y) {
  double x = y * 0.886226925452758013649083741670572592;
  for (int i = 0; i < 5; ++i) x -= (erf(x) - y) * exp(x * x) * 0.886226925452758013649083741670572592;
  return x;
}

COHORT_DEVICE_FUNCTION double erfinv(double y) {
  const double magnitude = fabs(y);
  if (!(magnitude <= 1.0)) return __builtin_nan("");
  if (magnitude == 1.0) return copysign(__builtin_inf(), y);
  if (magnitude <= 0.5)
    return magnitude < 1e-300 ? y * 0.886226925452758013649083741670572592 : cohort_erfinv_center(y);
  return copysign(cohort_erfcinv_tail(1.0 - magnitude), y);
}

COHORT_DEVICE_FUNCTION double erfcinv(double w) {
  if (!(w >= 0.0 && w <= 2.0)) return __builtin_nan("");
  if (w == 0.0) return __builtin_inf();
  if (w == 2.0) return -__builtin_inf();
  if (w <= 0.5) return cohort_erfcinv_tail(w);
  if (w >= 1.5) return -cohort_erfcinv_tail(2.0 - w);
  return cohort_erfinv_center(1.0 - w);
}

// Normal distribution: the probability below x, and its inverse.
COHORT_DEVICE_FUNCTION double normcdf(double x) {
  if (!(fabs(x) < 40.0)) return x != x ? x : x > 0.0 ? 1.0 : 0.0;
  const double z = -x * 0.707106781186547524400844362104849039;
  // The errors of the rounded product and of the rounded constant.
  const double rest = fma(-x, 0.707106781186547524400844362104849039, -z) - x * -4.833646656726456726e-17;
  return 0.5 * (erfc(z) - rest * exp(-z * z) * 1.128379167095512573896158903121545172);
}
COHORT_DEVICE_FUNCTION double normcdfinv(double p) {
  return -1.414213562373095048801688724209698079 * erfcinv(2.0 * p);
}

// Modified Bessel functions of the first kind. The power series has positive terms only, and long double keeps their
// errors out of the result. From 30 on the asymptotic series is exact to double.
COHORT_DEVICE_FUNCTION double cohort_cyl_bessel_i(int order, double magnitude) {
  if (magnitude < 30.0) {
    const long double half = 0.5L * magnitude;
    long double term = order ? half : 1.0L, sum = term;
    for (int k = 1; term > sum * 1e-18L; ++k) {
      term *= half * half / (static_cast<long double>(k) * (k + order));
      sum += term;
    }
    return static_cast<double>(sum);
  }
  if (magnitude == __builtin_inf()) return magnitude;
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 30; ++k) {
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4.0 * order) / (8.0 * k * magnitude);
    sum += term;
  }
  const double half = exp(0.5 * magnitude);
  return half * (sum / sqrt(6.283185307179586476925286766559005768 * magnitude)) * half;
}
COHORT_DEVICE_FUNCTION double cyl_bessel_i0(double x) { return cohort_cyl_bessel_i(0, fabs(x)); }
COHORT_DEVICE_FUNCTION double cyl_bessel_i1(double x) { return copysign(cohort_cyl_bessel_i(1, fabs(x)), x); }

#define COHORT_FLOAT_FROM_DOUBLE(name)                                                                       \
  COHORT_DEVICE_FUNCTION float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); } \
  COHORT_DEVICE_FUNCTION float name(float x) { return name##f(x); }

COHORT_FLOAT_FROM_DOUBLE(erfcx)
COHORT_FLOAT_FROM_DOUBLE(erfinv)
COHORT_FLOAT_FROM_DOUBLE(erfcinv)
COHORT_FLOAT_FROM_DOUBLE(normcdf)
COHORT_FLOAT_FROM_DOUBLE(normcdfinv)
COHORT_FLOAT_FROM_DOUBLE(cyl_bessel_i0)
COHORT_FLOAT_FROM_DOUBLE(cyl_bessel_i1)
#undef COHORT_FLOAT_FROM_DOUBLE
