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

/// The registers of a warp, by number and lane. One of 64 bits takes two words.
using register_words = uint32_t[lanes_of_warp];

inline uint64_t wide_register(const register_words* registers, unsigned number, unsigned lane) {
  return registers[2 * number][lane] | uint64_t{registers[2 * number + 1][lane]} << 32;
}
inline void set_wide_register(register_words* registers, unsigned number, unsigned lane, uint64_t value) {
  registers[2 * number][lane] = static_cast<uint32_t>(value);
  registers[2 * number + 1][lane] = static_cast<uint32_t>(value >> 32);
}

/// The words of four lanes.
using four_words = uint32_t __attribute__((vector_size(16)));
inline four_words load_four(const uint32_t* from) {
  four_words words;
  std::memcpy(&words, from, sizeof words);
  return words;
}
inline void store_four(uint32_t* to, const four_words& words) { std::memcpy(to, &words, sizeof words); }

/// Gathers `count` registers of A into rows of words: register i holds the words from 4 (i / groups) of the rows from
/// 8 (i % groups), where `groups` counts the 8 rows that the product has.
template <size_t Stride>
void gather_rows(const register_words* registers, unsigned count, unsigned groups, uint32_t (*rows)[Stride]) {
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned row = 0; row < 8; ++row) {
      store_four(&rows[row + 8 * (i % groups)][4 * (i / groups)], load_four(&registers[i][4 * row]));
    }
  }
}

/// Gathers `count` registers of B into words of eight columns.
inline void gather_columns(const register_words* registers, unsigned count, uint32_t (*words)[8]) {
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned column = 0; column < 8; column += 4) {
      four_words line[4];
      for (unsigned c = 0; c < 4; ++c) {
        line[c] = load_four(&registers[i][4 * (column + c)]);
      }
      const four_words low[2] = {__builtin_shufflevector(line[0], line[1], 0, 4, 1, 5),
                                 __builtin_shufflevector(line[2], line[3], 0, 4, 1, 5)};
      const four_words high[2] = {__builtin_shufflevector(line[0], line[1], 2, 6, 3, 7),
                                  __builtin_shufflevector(line[2], line[3], 2, 6, 3, 7)};
      store_four(&words[4 * i][column], __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5));
      store_four(&words[4 * i + 1][column], __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7));
      store_four(&words[4 * i + 2][column], __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5));
      store_four(&words[4 * i + 3][column], __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7));
    }
  }
}

/// Gathers C of `rows` rows: lane l holds the columns 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, and then of the row 8
/// below, in a register each or, if elements have 16 bits, in one.
inline void gather_accumulators(const register_words* registers, unsigned rows, bool in_halves, uint32_t (*to)[8]) {
  for (unsigned group = 0; group < rows / 8; ++group) {
    for (unsigned row = 0; row < 8; ++row) {
      four_words even, odd;
      if (in_halves) {
        odd = load_four(&registers[group][4 * row]);
        even = odd & 0xffffu;
        odd >>= 16;
      } else {
        even = load_four(&registers[2 * group][4 * row]);
        odd = load_four(&registers[2 * group + 1][4 * row]);
      }
      store_four(&to[8 * group + row][0], __builtin_shufflevector(even, odd, 0, 4, 1, 5));
      store_four(&to[8 * group + row][4], __builtin_shufflevector(even, odd, 2, 6, 3, 7));
    }
  }
}

/// Scatters D, as gather_accumulators() gathers C.
inline void scatter_accumulators(const uint32_t (*from)[8], unsigned rows, bool in_halves, register_words* registers) {
  for (unsigned group = 0; group < rows / 8; ++group) {
    for (unsigned row = 0; row < 8; ++row) {
      const four_words left = load_four(&from[8 * group + row][0]), right = load_four(&from[8 * group + row][4]);
      const four_words even = __builtin_shufflevector(left, right, 0, 2, 4, 6);
      const four_words odd = __builtin_shufflevector(left, right, 1, 3, 5, 7);
      if (in_halves) {
        store_four(&registers[group][4 * row], even | odd << 16);
      } else {
        store_four(&registers[2 * group][4 * row], even);
        store_four(&registers[2 * group + 1][4 * row], odd);
      }
    }
  }
}

}  // namespace cohort::engine
