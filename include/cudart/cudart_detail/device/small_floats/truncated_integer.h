// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of small floats (half, bfloat16, 8 bits) to integers by truncation, for host and device.
#pragma once

#include "../macros.h"

// Towards zero, to the nearest value of the type. NaN becomes 0, and 2^63 (only the sign bit) in 64 bits.
template <class T>
COHORT_BOTH_FUNCTION T cohort_truncated_integer(float x) {
  constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(1);
  constexpr T most = static_cast<T>(is_signed ? (1ull << (8 * sizeof(T) - 1)) - 1 : ~0ull);
  constexpr T least = static_cast<T>(is_signed ? -most - 1 : 0);
  if (x != x) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : 0;
  if (static_cast<double>(x) >= static_cast<double>(most)) return most;
  if (static_cast<double>(x) <= static_cast<double>(least)) return least;
  return static_cast<T>(x);
}
