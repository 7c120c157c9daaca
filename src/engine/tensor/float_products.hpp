// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of floats of 8 to 32 bits, bit for bit those of an H100 (docs/tensor-cores.md).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "engine/tensor/half_bits.hpp"
#include "engine/tensor/matrix_product.hpp"
#include "engine/tensor/number.hpp"
#include "engine/tensor/tensor_sum.hpp"
#include "engine/tensor/vector_sums.hpp"

namespace cohort::engine {
// How the instructions of one type add. An H100 has no unit for `mma` of 8-bit floats: they become f16, each half of a
// word's elements is one sum from zero, the lower half first, and C is added by an ordinary addition.
struct float_rule {
  int a, d;
  sum_rule sum;
  bool is_in_halves;

  // The format of an element of A or B as it is multiplied.
  int read_as(int element) const { return is_in_halves ? int{cohort_element_f16} : element; }
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

// The rules of a warpgroup's products. 8-bit floats are multiplied as they are, and fewer bits of them are added than
// by `mma`. The other types have the rules of `mma`.
inline constexpr float_rule warpgroup_rules[] = {
    {cohort_element_e4m3, cohort_element_f32, {13, 14, rounding::to_zero, cohort_element_f32}, false},
    {cohort_element_e4m3, cohort_element_f16, {13, 11, rounding::to_nearest, cohort_element_f16}, false},
    {cohort_element_e5m2, cohort_element_f32, {13, 14, rounding::to_zero, cohort_element_f32}, false},
    {cohort_element_e5m2, cohort_element_f16, {13, 11, rounding::to_nearest, cohort_element_f16}, false},
};

// The rule of a form; `otherwise` if the table lacks the form.
template <size_t rows>
const float_rule& find_rule(const float_rule (&table)[rows], const cohort_matrix_form& form,
                            const float_rule& otherwise) {
  for (const float_rule& each : table) {
    if (each.a == form.a && each.d == form.d) {
      return each;
    }
  }
  return otherwise;
}
inline const float_rule& rule_of(const cohort_matrix_form& form) {
  return find_rule(float_rules, form, float_rules[0]);
}
inline const float_rule& rule_of_warpgroup(const cohort_matrix_form& form) {
  return find_rule(warpgroup_rules, form, rule_of(form));
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

class float_product {
 public:
  float_product(const cohort_matrix_form& form, const product_shape& shape, const float_rule& rule,
                const word_matrices& of)
      : form_(form),
        shape_(shape),
        of_(of),
        rule_(rule),
        a_(format_of(rule_.read_as(form.a))),
        b_(format_of(rule_.read_as(form.b))),
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
  // The sum, from the accumulator `start`, of the elements of one part: the pairs of a word belong to `parts` parts in
  // turn.
  uint32_t sum_of(unsigned row, unsigned column, uint32_t start, unsigned part, unsigned parts) const {
    const unsigned per_word = 32 / bits_;
    addends all;
    for (unsigned i = 0; i < shape_.row_words * per_word; ++i) {
      if (i % per_word / 2 % parts == part) {
        const unsigned k = column_of_a(form_, of_, row, i);
        all.a[all.count] = number_in(of_.a[row][i / per_word], i % per_word, form_.a, a_);
        all.b[all.count++] = number_in(of_.b[k / per_word][column], k % per_word, form_.b, b_);
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
  number number_in(uint32_t word, unsigned position, int element, const float_format& format) const {
    const uint32_t bits = word >> (bits_ * position);  // only the low bits are decoded
    return decode(rule_.is_in_halves ? half_of_byte(bits, element == cohort_element_e4m3) : bits, format);
  }

  const cohort_matrix_form& form_;
  const product_shape& shape_;
  const word_matrices& of_;
  const float_rule& rule_;
  float_format a_, b_;
  unsigned bits_;
};

// The product by vector code, where numbers and exponents allow it.
class vector_product {
 public:
  vector_product(const cohort_matrix_form& form, const product_shape& shape, const float_rule& rule, word_matrices& of)
      : form_(form),
        of_(of),
        rule_(rule),
        rows_(shape.m),
        per_word_(32 / bits_of(form.a)),
        words_(std::max(shape.column_words, 8 / per_word_)),
        row_words_(shape.row_words),
        column_words_(shape.column_words),
        is_sparse_(is_sparse(form)) {}

  /// Reads A for all further products. False if they have no vector code or a number is not finite.
  bool take_a() { return !(is_sparse_ && rule_.is_in_halves) && unpack_a(); }
  /// Computes D but for the elements of left_out(). False, without a result, if a number of B is not finite.
  bool multiply() {
    if (!unpack_b()) {
      return false;
    }
    unpack_sums();
    std::fill_n(left_out_, rows_, uint8_t{0});
    const unsigned count = words_ * per_word_;
    if (rule_.is_in_halves) {
      add(0, count / 2);
      add(count / 2, count / 2);
    } else {
      add(0, count);
    }
    store_results();
    return true;
  }
  uint8_t left_out(unsigned row) const { return left_out_[row]; }

 private:
  // Element `i` of all words follows element `i - 1` of all words: the order of a sum's addends has no effect.
  bool unpack_b() {
    std::fill_n(&of_.b[column_words_][0], (words_ - column_words_) * columns, 0);
    const int read_as = rule_.read_as(form_.b);
    bool are_finite = true;
    for (unsigned i = 0; i < per_word_; ++i) {
      const number_source from = {form_.b, read_as, i * 32 / per_word_, &of_.b[0][0], words_ * columns, 0};
      are_finite &=
          unpack_numbers(from, 1, of_b_.values + i * words_ * columns, of_b_.exponents + i * words_ * columns, 0);
    }
    return are_finite;
  }

  bool unpack_a() {
    const unsigned loaded = std::max(row_words_, 8u);
    for (unsigned row = 0; row < rows_ && row_words_ < loaded; ++row) {
      std::fill_n(of_.a[row] + row_words_, loaded - row_words_, 0);
    }
    const int read_as = rule_.read_as(form_.a);
    bool are_finite = true;
    for (unsigned i = 0; i < per_word_; ++i) {
      const number_source from = {form_.a, read_as, i * 32 / per_word_, &of_.a[0][0], loaded, largest_words};
      are_finite &= unpack_numbers(from, rows_, of_a_.values + i * row_words_, of_a_.exponents + i * row_words_,
                                   largest_products);
    }
    return are_finite && (!is_sparse_ || spread_a());
  }

  // Moves the elements that a sparse product stores to their places, with zeros between them. False if two elements
  // have one place.
  bool spread_a() {
    for (unsigned row = 0; row < rows_; ++row) {
      float* values = of_a_.values + row * largest_products;
      int32_t* exponents = of_a_.exponents + row * largest_products;
      float stored[largest_products];
      int32_t stored_exponents[largest_products];
      std::copy_n(values, row_words_ * per_word_, stored);
      std::copy_n(exponents, row_words_ * per_word_, stored_exponents);
      std::fill_n(values, largest_products, 0.0F);
      std::fill_n(exponents, largest_products, exponent_of_zero);
      uint64_t taken = 0;
      for (unsigned i = 0; i < row_words_ * per_word_; ++i) {
        const unsigned k = column_of_a(form_, of_, row, i), to = k % per_word_ * words_ + k / per_word_;
        const unsigned from = i % per_word_ * row_words_ + i / per_word_;
        if ((taken >> to & 1) != 0) {
          return false;
        }
        taken |= uint64_t{1} << to;
        values[to] = stored[from];
        exponents[to] = stored_exponents[from];
      }
    }
    return true;
  }

  // Infinities and NaN among the accumulators have exponents that add_products() leaves out.
  void unpack_sums() {
    if (is_single_sum()) {
      std::memcpy(sums_, of_.c, sizeof sums_);
      return;
    }
    for (unsigned row = 0; row < rows_; ++row) {
      for (unsigned column = 0; column < columns; ++column) {
        sums_[row][column] = rule_.is_in_halves ? 0 : float_of_half(of_.c[row][column]);
      }
    }
  }
  bool is_single_sum() const { return rule_.d == cohort_element_f32 && !rule_.is_in_halves; }

  void add(unsigned first, unsigned count) {
    uint8_t left_out[largest_rows];
    add_products(rule_.sum, of_a_, of_b_, {rows_, first, count}, sums_, left_out);
    for (unsigned row = 0; row < rows_; ++row) {
      left_out_[row] |= left_out[row];
    }
    if (rule_.d == cohort_element_f16) {
      for (unsigned row = 0; row < rows_; ++row) {
        for (unsigned column = 0; column < columns; ++column) {
          const uint32_t half = half_of_float(sums_[row][column]);
          sums_[row][column] = float_of_half(half == 0x8000u ? 0 : half);
        }
      }
    }
  }

  void store_results() {
    if (is_single_sum()) {
      std::memcpy(of_.d, sums_, sizeof sums_);
      return;
    }
    const bool is_half = rule_.d == cohort_element_f16;
    for (unsigned row = 0; row < rows_; ++row) {
      for (unsigned column = 0; column < columns; ++column) {
        const float sum = sums_[row][column];
        const uint32_t bits = is_half ? half_of_float(sum) : std::bit_cast<uint32_t>(sum);
        of_.d[row][column] = rule_.is_in_halves ? add_ordinary(of_.c[row][column], bits, rule_.d) : bits;
      }
    }
  }

  const cohort_matrix_form& form_;
  word_matrices& of_;
  const float_rule& rule_;
  unsigned rows_, per_word_, words_, row_words_, column_words_;
  bool is_sparse_;
  vector_numbers<largest_rows * largest_products> of_a_;
  vector_numbers<largest_products * columns> of_b_;
  alignas(64) float sums_[largest_rows][columns];
  uint8_t left_out_[largest_rows] = {};
};

// Products with one A, which is read at the start. B and C may change from product to product.
class float_multiplier {
 public:
  float_multiplier(const cohort_matrix_form& form, const product_shape& shape, const float_rule& rule,
                   word_matrices& of)
      : rows_(shape.m),
        of_(of),
        vectors_(form, shape, rule, of),
        product_(form, shape, rule, of),
        has_vectors_(vectors_.take_a()) {}

  void multiply() {
    const bool is_done = has_vectors_ && vectors_.multiply();
    for (unsigned row = 0; row < rows_; ++row) {
      const unsigned left = is_done ? vectors_.left_out(row) : 0xffu;
      for (unsigned column = 0; left != 0 && column < columns; ++column) {
        if ((left >> column & 1) != 0) {
          of_.d[row][column] = product_.element(row, column);
        }
      }
    }
  }

 private:
  unsigned rows_;
  word_matrices& of_;
  vector_product vectors_;
  float_product product_;
  bool has_vectors_;
};

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
                         float_of_half(of.b[k / 2][column] >> (16 * (k % 2))), chain);
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
