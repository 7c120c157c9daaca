// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's _Float16 of a number, with an explicit rounding.
#pragma once

#include "../math/directed_rounding.h"

template <cohort_rounding Mode, class T>
COHORT_BOTH_FUNCTION _Float16 cohort_to_float16(T x) {
  const _Float16 nearest = static_cast<_Float16>(x);
  if (!cohort_is_finite(x)) return nearest;
  const T back = static_cast<T>(nearest);
  return cohort_round_directed<Mode>(nearest, (x > back) - (x < back));
}
// 64-bit integers do not fit a double, but from 2^17 on all of them are infinite as halves.
template <cohort_rounding Mode, class Integer>
COHORT_BOTH_FUNCTION _Float16 cohort_integer_to_float16(Integer x) {
  const Integer bound = static_cast<Integer>(sizeof(Integer) > 2 ? 1 << 17 : 0);
  if (sizeof(Integer) > 2 && x > bound) return cohort_to_float16<Mode>(static_cast<double>(bound));
  if (sizeof(Integer) > 2 && static_cast<Integer>(-1) < static_cast<Integer>(0) && x < -bound)
    return cohort_to_float16<Mode>(-static_cast<double>(bound));
  return cohort_to_float16<Mode>(static_cast<double>(x));
}
