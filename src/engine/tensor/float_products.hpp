// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of floats of 8 to 32 bits, bit for bit those of an H100 (docs/tensor-cores.md).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/tensor/half_bits.hpp"
#include "engine/tensor/matrix_product.hpp"
#include "engine/tensor/number.hpp"
#include "engine/tensor/tensor_sum.hpp"

namespace cohort::engine {
// How the instructions of one type add. An H100 has no unit for `mma` of 8-bit floats: they become f16, each half of a
// word's elements is one sum from zero, the lower half first, and C is added by an ordinary addition.
struct float_rule {
  int a, d;
  sum_rule sum;
  bool is_in_halves;
};
inline constexpr float_rule float_rules[] = {
    {cohort_element_f16, cohort_element_f32, {25, 24, rounding::to_zero, cohort_element_f32}, false},
    {cohort_element_f16, cohort_element_f16, {25, 11, rounding::to_nearest, cohort_element_f16}, false},
    {cohort_element_bf16, cohort_element_f32, {25, 24, rounding::to_zero, cohort_element_f32}, false},
    {cohort_element_tf32, cohort_element_f32, {25, 24, rounding::to_zero, cohort_element_f32}, false},
    {cohort_element_e4m3, cohort_element_f32, {25, 24, rounding::to_zero, cohort_element_f32}, true},
    {cohort_element_e4m3, cohort_element_f16, {25, 11, rounding::to_nearest, cohort_element_f16}, true},
    {cohort_element_e5m2, cohort_element_f32, {25, 24, rounding::to_zero, cohort_element_f32}, true},
    {cohort_element_e5m2, cohort_element_f16, {25, 11, rounding::to_nearest, cohort_element_f16}, true},
};

inline const float_rule& rule_of(const cohort_matrix_form& form) {
  for (const float_rule& each : float_rules) {
    if (each.a == form.a && each.d == form.d) {
      return each;
    }
  }
  return float_rules[0];
}

inline uint32_t add_ordinary(uint32_t a, uint32_t b, int format) {
  if (format == cohort_element_f32) {
    const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    return std::isnan(sum) ? canonical_nan(format) : std::bit_cast<uint32_t>(sum);
  }
  const float sum = float_of_half(a) + float_of_half(b);  // exact: the sum of two halves has at most 41 bits
  return std::isnan(sum) ? canonical_nan(format) : half_of_float(sum);
}

// The elements of a row of A and of a column of B that one sum takes, in ascending k.
struct addends {
  number a[64], b[64];
  unsigned count = 0;
};

// The element of B opposite to element `i` of a row of A.
inline unsigned opposite(const cohort_matrix_form& form, const word_matrices& of, unsigned row, unsigned i) {
  if ((form.flags_and_selector & cohort_matrix_is_sparse) == 0) {
    return i;
  }
  if (form.a == cohort_element_tf32) {  // one element of two; its position is that of a pair of halves
    return 2 * i + (of.chosen[row][i] & 3u) / 2;
  }
  return 4 * (i / 2) + ((of.chosen[row][i / 2] >> (2 * (i % 2))) & 3u);
}

class float_product {
 public:
  float_product(const cohort_matrix_form& form, const product_shape& shape, const word_matrices& of)
      : form_(form),
        shape_(shape),
        of_(of),
        rule_(rule_of(form)),
        a_(format_of(read_as(form.a))),
        b_(format_of(read_as(form.b))),
        bits_(bits_of(form.a)) {}

  uint32_t element(unsigned row, unsigned column) const {
    const uint32_t c = of_.c[row][column];
    if (!rule_.is_in_halves) {
      return sum_of(row, column, c, 0, 1);
    }
    const uint32_t lower = sum_of(row, column, 0, 0, 2);
    return add_ordinary(c, sum_of(row, column, lower, 1, 2), rule_.d);
  }

 private:
  int read_as(int element) const { return rule_.is_in_halves ? int{cohort_element_f16} : element; }

  // The sum of the elements whose pair in its word is `part` of `parts`, from the accumulator `start`.
  uint32_t sum_of(unsigned row, unsigned column, uint32_t start, unsigned part, unsigned parts) const {
    const unsigned per_word = 32 / bits_;
    addends all;
    for (unsigned i = 0; i < shape_.row_words * per_word; ++i) {
      if (i % per_word / 2 % parts == part) {
        const unsigned k = opposite(form_, of_, row, i);
        all.a[all.count] = number_at(of_.a[row], i, form_.a, a_);
        all.b[all.count++] = number_at(of_.b[column], k, form_.b, b_);
      }
    }
    tensor_sum sum(rule_.sum, a_, b_, start);
    for (unsigned i = 0; i < all.count; ++i) {
      sum.find_exponent(all.a[i], all.b[i]);
    }
    for (unsigned i = 0; i < all.count; ++i) {
      sum.add(all.a[i], all.b[i]);
    }
    return sum.result();
  }
  number number_at(const uint32_t* words, unsigned position, int element, const float_format& format) const {
    const unsigned per_word = 32 / bits_;
    const uint32_t bits = words[position / per_word] >> (bits_ * (position % per_word));  // the low bits count
    return decode(rule_.is_in_halves ? half_of_byte(bits, element == cohort_element_e4m3) : bits, format);
  }

  const cohort_matrix_form& form_;
  const product_shape& shape_;
  const word_matrices& of_;
  const float_rule& rule_;
  float_format a_, b_;
  unsigned bits_;
};

inline void multiply_floats(const cohort_matrix_form& form, const product_shape& shape, word_matrices& of) {
  const float_product product(form, shape, of);
  for (unsigned row = 0; row < shape.m; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      of.d[row][column] = product.element(row, column);
    }
  }
}

// sm_90 has no unit for this shape: the GPU's compiler makes chains of fused products from zero and adds them to C. A
// result of f32 has one chain of four products, one of f16 two of two.
inline void multiply_quads(const cohort_matrix_form& form, word_matrices& of) {
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      const uint32_t c = of.c[row][column];
      float sum = form.c == cohort_element_f16 ? float_of_half(c) : std::bit_cast<float>(c);
      const float start = form.d == cohort_element_f16 ? -0.0F : 0.0F;  // a chain of f16 begins with a bare product
      float chain = start;
      for (unsigned k = 0; k < 4; ++k) {
        chain = std::fma(float_of_half(of.a[row][k / 2] >> (16 * (k % 2))),
                         float_of_half(of.b[column][k / 2] >> (16 * (k % 2))), chain);
        if (k == 3 || (k == 1 && form.d == cohort_element_f16)) {
          sum += chain;
          chain = start;
        }
      }
      const bool is_half = form.d == cohort_element_f16;
      of.d[row][column] = std::isnan(sum) ? canonical_nan(form.d)
                          : is_half       ? half_of_float(sum)
                                          : std::bit_cast<uint32_t>(sum);
    }
  }
}

}  // namespace cohort::engine
