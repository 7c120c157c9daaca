// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, products, quotients and roots of float and double with a directed rounding.
#pragma once

#include "c_math.h"
#include "directed_rounding.h"

// A type in which the error of one operation on double has an exact sign: at least 113 bits.
#if defined(__SIZEOF_FLOAT128__)
typedef __float128 cohort_wide_double;
#else
typedef long double cohort_wide_double;
static_assert(__LDBL_MANT_DIG__ >= 113, "directed rounding of double needs a type with 113 bits");
#endif

template <class T>
struct cohort_wider;
template <>
struct cohort_wider<float> {
  typedef double type;
};
template <>
struct cohort_wider<double> {
  typedef cohort_wide_double type;
};

template <class T>
COHORT_DEVICE_FUNCTION int cohort_sign(T x) {
  return (x > T(0)) - (x < T(0));
}

// True for a double that is so far from the ends of the range that the error of a product, a quotient or a root beside
// it is a double, which one fused multiply-add computes. A type with 113 bits costs calls of a library: 20 times as
// much.
COHORT_DEVICE_FUNCTION bool cohort_error_is_exact(double x) {
  const double size = __builtin_fabs(x);
  return size > 0x1p-900 && size < 0x1p1000;
}
COHORT_DEVICE_FUNCTION bool cohort_error_is_exact(float) { return false; }  // double is as fast

// Sign of a + b - nearest, exact: Knuth's sum in two parts, then a difference whose sign rounding keeps.
template <class Wide>
COHORT_DEVICE_FUNCTION int cohort_sign_of_sum_minus(Wide a, Wide b, Wide nearest) {
#pragma clang fp contract(off)
  const Wide sum = a + b;
  const Wide part = sum - a;
  const Wide rest = (a - (sum - part)) + (b - part);
  const Wide difference = sum - nearest;
  return cohort_sign(difference + rest);
}

// A zero sum of operands that are not both zeros of one sign is -0 when rounded down, else +0.
template <cohort_rounding Mode, class T>
COHORT_DEVICE_FUNCTION T cohort_zero_sum(T nearest, bool cancelled) {
  return Mode == cohort_rounding::down && cancelled ? -T(0) : nearest;
}

template <cohort_rounding Mode, class T>
COHORT_DEVICE_FUNCTION T cohort_add(T a, T b) {
#pragma clang fp contract(off)
  using wide = typename cohort_wider<T>::type;
  const T nearest = a + b;
  if (Mode == cohort_rounding::nearest || !cohort_is_finite(a) || !cohort_is_finite(b)) return nearest;
  if (nearest == T(0)) return cohort_zero_sum<Mode>(nearest, __builtin_signbit(a) != __builtin_signbit(b));
  if (cohort_error_is_exact(nearest))
    return cohort_round_directed<Mode>(nearest, cohort_sign_of_sum_minus(a, b, nearest));
  return cohort_round_directed<Mode>(nearest, cohort_sign_of_sum_minus(wide(a), wide(b), wide(nearest)));
}

template <cohort_rounding Mode, class T>
COHORT_DEVICE_FUNCTION T cohort_multiply(T a, T b) {
#pragma clang fp contract(off)
  using wide = typename cohort_wider<T>::type;
  const T nearest = a * b;
  if (Mode == cohort_rounding::nearest || !cohort_is_finite(a) || !cohort_is_finite(b)) return nearest;
  if (cohort_error_is_exact(nearest))
    return cohort_round_directed<Mode>(nearest, cohort_sign(__builtin_elementwise_fma(a, b, -nearest)));
  if (a == T(0) || b == T(0)) return nearest;
  return cohort_round_directed<Mode>(nearest, cohort_sign(wide(a) * wide(b) - wide(nearest)));
}

template <cohort_rounding Mode, class T>
COHORT_DEVICE_FUNCTION T cohort_multiply_add(T a, T b, T c) {
  using wide = typename cohort_wider<T>::type;
  const T nearest = __builtin_elementwise_fma(a, b, c);
  if (Mode == cohort_rounding::nearest || !cohort_is_finite(a) || !cohort_is_finite(b) || !cohort_is_finite(c))
    return nearest;
  const wide product = wide(a) * wide(b);
  if (product + wide(c) == wide(0))
    return cohort_zero_sum<Mode>(nearest, (__builtin_signbit(a) != __builtin_signbit(b)) != !!__builtin_signbit(c));
  return cohort_round_directed<Mode>(nearest, cohort_sign_of_sum_minus(product, wide(c), wide(nearest)));
}

template <cohort_rounding Mode, class T>
COHORT_DEVICE_FUNCTION T cohort_divide(T a, T b) {
  using wide = typename cohort_wider<T>::type;
  const T nearest = a / b;
  if (Mode == cohort_rounding::nearest || !cohort_is_finite(a) || !cohort_is_finite(b) || b == T(0)) return nearest;
  // a - nearest * b has the sign of the missing part times the sign of b. An infinite `nearest` needs no correction.
  const int remainder = cohort_error_is_exact(a) && cohort_error_is_exact(nearest)
                            ? cohort_sign(__builtin_elementwise_fma(-nearest, b, a))
                            : cohort_sign(wide(a) - wide(nearest) * wide(b));
  return cohort_round_directed<Mode>(nearest, b > T(0) ? remainder : -remainder);
}

template <cohort_rounding Mode, class T>
COHORT_DEVICE_FUNCTION T cohort_square_root(T a) {
  using wide = typename cohort_wider<T>::type;
  const T nearest = __builtin_elementwise_sqrt(a);
  if (Mode == cohort_rounding::nearest || !(nearest > T(0)) || !cohort_is_finite(a)) return nearest;
  return cohort_round_directed<Mode>(nearest, cohort_error_is_exact(a)
                                                  ? cohort_sign(__builtin_elementwise_fma(-nearest, nearest, a))
                                                  : cohort_sign(wide(a) - wide(nearest) * wide(nearest)));
}
