// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on the bits of a word, for host code, device code and constant expressions. It is plain arithmetic, which
// compilers reduce to single instructions.
#pragma once

#include <stdint.h>

#include "config.hpp"

namespace cohort {
namespace detail {

COHORT_ANY_SIDE constexpr bool is_power_of_two(uint32_t x) { return x != 0 && (x & (x - 1)) == 0; }

COHORT_ANY_SIDE constexpr uint32_t popcount(uint32_t x) {
#if COHORT_HAS_POPCOUNT
  return static_cast<uint32_t>(__builtin_popcount(x));
#else
  x -= (x >> 1) & 0x55555555u;
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  return (x * 0x01010101u) >> 24;
#endif
}

// Index of the lowest set bit; 32 if x is 0.
COHORT_ANY_SIDE constexpr uint32_t lowest_bit(uint32_t x) { return popcount((x & (0u - x)) - 1u); }

// A word with the lowest `count` bits set; all bits for counts of 32 and more.
COHORT_ANY_SIDE constexpr uint32_t low_bits(uint32_t count) { return count >= 32 ? 0xffffffffu : (1u << count) - 1u; }

// Returns value / divisor, rounded up. pre: value >= 0, divisor > 0
template <class T>
COHORT_ANY_SIDE constexpr T divide_up(T value, T divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

}  // namespace detail
}  // namespace cohort
