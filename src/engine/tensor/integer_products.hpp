// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer products are exact. Without .satfinite the sum with C wraps, with it the exact sum is clamped.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "engine/tensor/matrix_product.hpp"

namespace cohort::engine {
inline int32_t element_of(uint32_t word, unsigned position, unsigned bits, bool is_signed) {
  const uint32_t raised = word << (32 - bits * (position + 1));
  return is_signed ? static_cast<int32_t>(raised) >> (32 - bits) : static_cast<int32_t>(raised >> (32 - bits));
}

// Unpacked elements of A and B. The zeros that a sparse product omits from A are filled in.
struct integer_matrices {
  int32_t a[largest_rows][256], b[256][columns];
};

inline void unpack(const cohort_matrix_form& form, const product_shape& shape, const word_matrices& of,
                   integer_matrices& to) {
  const unsigned bits = bits_of(form.a), per_word = 32 / bits;
  const bool a_is_signed = form.a == cohort_element_s8 || form.a == cohort_element_s4;
  const bool b_is_signed = form.b == cohort_element_s8 || form.b == cohort_element_s4;
  for (unsigned row = 0; row < shape.m; ++row) {
    std::fill_n(to.a[row], shape.k, 0);
    for (unsigned i = 0; i < shape.row_words * per_word; ++i) {
      const unsigned k = column_of_a(form, of, row, i);
      to.a[row][k] += element_of(of.a[row][i / per_word], i % per_word, bits, a_is_signed);
    }
  }
  for (unsigned column = 0; column < columns; ++column) {
    for (unsigned k = 0; k < shape.k; ++k) {
      to.b[k][column] = element_of(of.b[k / per_word][column], k % per_word, bits, b_is_signed);
    }
  }
}

inline uint32_t accumulated(uint32_t c, int32_t products, bool saturates) {
  if (!saturates) {
    return c + static_cast<uint32_t>(products);
  }
  using limits = std::numeric_limits<int32_t>;
  const int64_t sum = int64_t{static_cast<int32_t>(c)} + products;
  return static_cast<uint32_t>(std::clamp<int64_t>(sum, limits::min(), limits::max()));
}

inline void multiply_bits(const cohort_matrix_form& form, const product_shape& shape, word_matrices& of) {
  const bool is_xor = (form.flags_and_selector & cohort_matrix_xor) != 0;
  for (unsigned row = 0; row < shape.m; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      uint32_t count = of.c[row][column];
      for (unsigned i = 0; i < shape.row_words; ++i) {
        const uint32_t a = of.a[row][i], b = of.b[i][column];
        count += static_cast<uint32_t>(std::popcount(is_xor ? a ^ b : a & b));
      }
      of.d[row][column] = count;
    }
  }
}

inline void multiply_integers(const cohort_matrix_form& form, const product_shape& shape, word_matrices& of) {
  if (form.a == cohort_element_b1) {
    multiply_bits(form, shape, of);
    return;
  }
  integer_matrices elements;
  unpack(form, shape, of, elements);
  const bool saturates = (form.flags_and_selector & cohort_matrix_saturates) != 0;
  for (unsigned row = 0; row < shape.m; ++row) {
    int32_t sums[columns] = {};
    for (unsigned k = 0; k < shape.k; ++k) {
      for (unsigned column = 0; column < columns; ++column) {
        sums[column] += elements.a[row][k] * elements.b[k][column];
      }
    }
    for (unsigned column = 0; column < columns; ++column) {
      of.d[row][column] = accumulated(of.c[row][column], sums[column], saturates);
    }
  }
}

}  // namespace cohort::engine
