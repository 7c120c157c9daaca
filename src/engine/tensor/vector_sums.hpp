// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sums of tensor_sum.hpp for eight columns at once. Products of floats are exact in f32 where their exponents allow
// it; an element scaled by the largest exponent is truncated by its conversion to an integer. 128 sums of 16 products
// take 4 instructions a product and vector, a twentieth of the time of tensor_sum.
#pragma once

#include <cstdint>

#include "engine/tensor/tensor_sum.hpp"

namespace cohort::engine {

inline constexpr unsigned vector_columns = 8, largest_products = 64;

/// The exponent of a zero, which is below those of all other numbers.
constexpr int32_t exponent_of_zero = -10000;

/// Numbers as f32, with their exponents.
template <unsigned Count>
struct vector_numbers {
  alignas(64) float values[Count];
  alignas(64) int32_t exponents[Count];
};

/// Where numbers come from: `count` words of a row, of which each has one at bit `from`; a multiple of 8.
struct number_source {
  int element, read_as;  // format of the numbers; format that sets the smallest exponent
  unsigned from;
  const uint32_t* words;
  unsigned count, stride;  // words of a row; distance from one row to the next
};

/// Converts `rows` rows to `values` and `exponents`, whose rows are `stride` apart. Returns whether all are finite.
bool unpack_numbers(const number_source& from, unsigned rows, float* values, int32_t* exponents, unsigned stride);

/// Selects rows, and products [first, first + count) of each row. `count` is a multiple of 8.
struct summed_products {
  unsigned rows, first, count;
};

/// Adds products to the accumulators in `sums`, which it replaces by the results: numbers as f32, also for a result of
/// f16, which rounds them again. Rows of `a` are `largest_products` apart, those of `b` 8. `left_out`: by row, the
/// columns whose exponents are too large or too small for f32.
void add_products(const sum_rule& rule, const vector_numbers<16 * largest_products>& a,
                  const vector_numbers<largest_products * vector_columns>& b, const summed_products& which,
                  float (*sums)[vector_columns], uint8_t* left_out);

}  // namespace cohort::engine
