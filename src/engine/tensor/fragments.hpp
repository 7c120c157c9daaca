// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrices of a product, gathered from the registers of a warp (PTX ISA, matrix fragments of mma). A word holds the
// elements of one register, which are adjacent in k. All shapes but m8n8k4 of f16 have one layout in words: of A, lane
// l holds words l % 4, l % 4 + 4, ... of rows l / 4 and l / 4 + 8; of B, those words of column l / 4.
#pragma once

#include <cohort/machine/cpu/port/matrix.hpp>

#include <cstdint>
#include <cstring>

namespace cohort::engine {

constexpr unsigned lanes_of_warp = 32;

constexpr unsigned bits_of(int element) {
  switch (element) {
    case cohort_element_f16:
    case cohort_element_bf16:
      return 16;
    case cohort_element_e4m3:
    case cohort_element_e5m2:
    case cohort_element_s8:
    case cohort_element_u8:
      return 8;
    case cohort_element_s4:
    case cohort_element_u4:
      return 4;
    case cohort_element_b1:
      return 1;
    case cohort_element_f64:
      return 64;
    default:
      return 32;
  }
}

constexpr bool is_sparse(const cohort_matrix_form& form) {
  return (form.flags_and_selector & cohort_matrix_is_sparse) != 0;
}

/// The shape of an instruction, and where its registers begin in an operand. Counts are per lane.
struct product_shape {
  unsigned m, n, k;
  bool is_of_quads;  // m8n8k4 of f16: four products, each of two groups of four lanes
  unsigned a_words, b_words, c_words, d_words;
  unsigned a_begin, b_begin;
  unsigned row_words, column_words;  // words of a row of A, of a column of B

  explicit constexpr product_shape(const cohort_matrix_form& form)
      : m(form.m),
        n(form.n),
        k(4u * form.k_of_4),
        is_of_quads(form.a == cohort_element_f16 && k == 4),
        a_words(0),
        b_words(0),
        c_words(0),
        d_words(0),
        a_begin(0),
        b_begin(0),
        row_words(0),
        column_words(0) {
    const unsigned products = is_of_quads ? 4 : 1;
    const unsigned bits = bits_of(form.a), word_bits = bits == 64 ? 64 : 32;
    column_words = k * bits / word_bits;
    row_words = is_sparse(form) ? column_words / 2 : column_words;
    const unsigned size = word_bits / 32;
    a_words = products * m * row_words * size / lanes_of_warp;
    b_words = products * n * column_words * size / lanes_of_warp;
    c_words = products * m * n * bits_of(form.c) / 32 / lanes_of_warp;
    d_words = products * m * n * bits_of(form.d) / 32 / lanes_of_warp;
    a_begin = c_words > d_words ? c_words : d_words;
    b_begin = a_begin + a_words;
  }
};

/// The registers of one lane: words of 32 or, for f64, 64 bits.
template <class Word>
class lane_registers {
 public:
  lane_registers(void* operand, unsigned begin)
      : at_(static_cast<char*>(operand) + sizeof(cohort_matrix_operand) + 4 * begin) {}
  Word get(unsigned number) const {
    Word value;
    std::memcpy(&value, at_ + number * sizeof(Word), sizeof value);
    return value;
  }
  void set(unsigned number, Word value) const { std::memcpy(at_ + number * sizeof(Word), &value, sizeof value); }

 private:
  char* at_;
};

/// Calls body(lane, register, line, word) for each register of a factor with `Groups` groups of 8 lines, rows or
/// columns. Counts are constants: the compiler unrolls the registers, which halves the time of a product.
template <unsigned Count, unsigned Groups, class Body>
void for_each_register(Body body) {
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    for (unsigned i = 0; i < Count; ++i) {
      body(lane, i, lane / 4 + 8 * (i % Groups), lane % 4 + 4 * (i / Groups));
    }
  }
}
template <unsigned Groups, class Body>
void for_each_register(unsigned count, Body body) {
  switch (count) {
    case 1:
      return for_each_register<1, Groups>(body);
    case 2:
      return for_each_register<2, Groups>(body);
    case 4:
      return for_each_register<4, Groups>(body);
    default:
      return for_each_register<4 * Groups, Groups>(body);
  }
}

/// Calls body(lane, register, row, word) for each register of A, and body(lane, register, column, word) of B.
template <class Body>
void for_each_word_of_a(const product_shape& shape, unsigned word_size, Body body) {
  const unsigned count = shape.a_words / word_size;
  shape.m == 8 ? for_each_register<1>(count, body) : for_each_register<2>(count, body);
}
template <class Body>
void for_each_word_of_b(const product_shape& shape, unsigned word_size, Body body) {
  for_each_register<1>(shape.b_words / word_size, body);
}
/// Calls body(lane, number of the element, row, column) for each element of C or D.
template <unsigned Count, class Body>
void for_each_accumulator(Body body) {
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    for (unsigned i = 0; i < Count; ++i) {
      body(lane, i, lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2);
    }
  }
}
template <class Body>
void for_each_accumulator(const product_shape& shape, Body body) {
  shape.m == 8 ? for_each_accumulator<2>(body) : for_each_accumulator<4>(body);
}

}  // namespace cohort::engine
