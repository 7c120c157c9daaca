/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Complex numbers as pairs: cuFloatComplex is float2, cuDoubleComplex is double2. For host and device, C and C++. */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#if defined(__CUDACC__)
#define COHORT_COMPLEX static __inline__ __attribute__((host, device))
#else
#define COHORT_COMPLEX static __inline__
#endif

/* Defines the functions of one precision, whose names end in `f` for float. A quotient is computed from both numbers
 * divided by |re| + |im| of the divisor, an absolute value from the quotient of the smaller and the larger part: no
 * square overflows that the result would not. */
#define COHORT_COMPLEX_FUNCTIONS(complex, real, f)                                                           \
  COHORT_COMPLEX real cuCreal##f(complex z) { return z.x; }                                                  \
  COHORT_COMPLEX real cuCimag##f(complex z) { return z.y; }                                                  \
  COHORT_COMPLEX complex cohort_complex##f(real re, real im) {                                               \
    complex z;                                                                                               \
    z.x = re;                                                                                                \
    z.y = im;                                                                                                \
    return z;                                                                                                \
  }                                                                                                          \
  COHORT_COMPLEX complex cuConj##f(complex z) { return cohort_complex##f(z.x, -z.y); }                       \
  COHORT_COMPLEX complex cuCadd##f(complex a, complex b) { return cohort_complex##f(a.x + b.x, a.y + b.y); } \
  COHORT_COMPLEX complex cuCsub##f(complex a, complex b) { return cohort_complex##f(a.x - b.x, a.y - b.y); } \
  COHORT_COMPLEX complex cuCmul##f(complex a, complex b) {                                                   \
    return cohort_complex##f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                  \
  }                                                                                                          \
  COHORT_COMPLEX complex cuCfma##f(complex a, complex b, complex c) {                                        \
    return cohort_complex##f((a.x * b.x + c.x) - a.y * b.y, (a.x * b.y + c.y) + a.y * b.x);                  \
  }                                                                                                          \
  COHORT_COMPLEX complex cuCdiv##f(complex a, complex b) {                                                   \
    const real scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                                    \
    const real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                       \
    const real factor = 1 / (bx * bx + by * by);                                                             \
    return cohort_complex##f((ax * bx + ay * by) * factor, (ay * bx - ax * by) * factor);                    \
  }                                                                                                          \
  COHORT_COMPLEX real cuCabs##f(complex z) {                                                                 \
    const real x = fabs##f(z.x), y = fabs##f(z.y);                                                           \
    const real large = x > y ? x : y, small = x > y ? y : x;                                                 \
    const real ratio = small / large;                                                                        \
    if (large == 0 || isinf(large) || isinf(small)) return large + small;                                    \
    return large * sqrt##f(1 + ratio * ratio);                                                               \
  }

COHORT_COMPLEX_FUNCTIONS(cuFloatComplex, float, f)
COHORT_COMPLEX_FUNCTIONS(cuDoubleComplex, double, )

COHORT_COMPLEX cuFloatComplex make_cuFloatComplex(float re, float im) { return cohort_complexf(re, im); }
COHORT_COMPLEX cuDoubleComplex make_cuDoubleComplex(double re, double im) { return cohort_complex(re, im); }
COHORT_COMPLEX cuComplex make_cuComplex(float re, float im) { return cohort_complexf(re, im); }
COHORT_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return cohort_complex(z.x, z.y); }
COHORT_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return cohort_complexf((float)z.x, (float)z.y);
}

#undef COHORT_COMPLEX_FUNCTIONS
#undef COHORT_COMPLEX

#include <cohort/base/user_macros/on.hpp>
