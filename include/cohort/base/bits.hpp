// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on the bits of a word. Plain arithmetic that compilers turn into single instructions, so that it is the
// same in host code, device code and constant expressions.
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

// Index of the lowest set bit; 32 for 0.
COHORT_ANY_SIDE constexpr uint32_t lowest_bit(uint32_t x) { return popcount((x & (0u - x)) - 1u); }

// `count` low bits set; all of them from 32 on.
COHORT_ANY_SIDE constexpr uint32_t low_bits(uint32_t count) { return count >= 32 ? 0xffffffffu : (1u << count) - 1u; }

template <class T>
COHORT_ANY_SIDE constexpr T divide_up(T value, T divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

}  // namespace detail
}  // namespace cohort
