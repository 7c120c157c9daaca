// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directed rounding without a change of the CPU's rounding mode. The directed result is the nearest one or its
// neighbour; the sign of the rounding error selects. For host and device.
#pragma once

#include "../macros.h"

enum class cohort_rounding { nearest, zero, up, down };

template <unsigned long Bytes>
struct cohort_bits;
template <>
struct cohort_bits<2> {
  typedef short type;
};
template <>
struct cohort_bits<4> {
  typedef int type;
};
template <>
struct cohort_bits<8> {
  typedef long long type;
};

// The neighbour of x above or below it; x is no NaN, and no infinity in that direction.
template <class T>
COHORT_BOTH_FUNCTION T cohort_neighbour(T x, bool above) {
  using bits = typename cohort_bits<sizeof(T)>::type;
  const T least = __builtin_bit_cast(T, static_cast<bits>(1));
  const int step = above == (x > T(0)) ? 1 : -1;
  return x == T(0) ? (above ? least : -least)
                   : __builtin_bit_cast(T, static_cast<bits>(__builtin_bit_cast(bits, x) + step));
}

// `missing` is the sign of (exact result - nearest), 0 if nearest is exact.
template <cohort_rounding Mode, class T>
COHORT_BOTH_FUNCTION T cohort_round_directed(T nearest, int missing) {
  if (Mode == cohort_rounding::nearest || missing == 0) return nearest;
  if (Mode == cohort_rounding::up) return missing > 0 ? cohort_neighbour(nearest, true) : nearest;
  if (Mode == cohort_rounding::down) return missing < 0 ? cohort_neighbour(nearest, false) : nearest;
  // Toward zero: step back if the nearest result lies beyond the exact one.
  if (nearest > T(0)) return missing < 0 ? cohort_neighbour(nearest, false) : nearest;
  if (nearest < T(0)) return missing > 0 ? cohort_neighbour(nearest, true) : nearest;
  return nearest;
}

template <class T>
COHORT_BOTH_FUNCTION bool cohort_is_finite(T x) {
  return x - x == T(0);
}
