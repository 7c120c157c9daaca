// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tensor/matrix_product.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "engine/tensor/fast_products.hpp"
#include "engine/tensor/float_products.hpp"
#include "engine/tensor/fragments.hpp"
#include "engine/tensor/integer_products.hpp"

namespace cohort::engine {
namespace {

cohort_matrix_operand& head_of(void* operand) { return *static_cast<cohort_matrix_operand*>(operand); }

// A NaN result is the NaN of b, of c or of a, in this order; without one, the default NaN with its sign set.
double fused(double a, double b, double c) {
  const double result = std::fma(a, b, c);
  if (!std::isnan(result)) [[likely]] {
    return result;
  }
  const double from = std::isnan(b) ? b : std::isnan(c) ? c : a;
  constexpr uint64_t quiet = 0x0008000000000000, standard = 0xfff8000000000000;
  return std::bit_cast<double>(std::isnan(from) ? std::bit_cast<uint64_t>(from) | quiet : standard);
}

// A chain of fused products in ascending k, from the accumulator. Element k of a row of A is in the (k % 4)th of the
// row's four lanes.
void multiply_doubles(const product_shape& shape, register_words* registers) {
  const register_words* const a = registers + shape.a_begin;
  const register_words* const b = registers + shape.b_begin;
  const unsigned groups = shape.m / 8;
  for (unsigned row = 0; row < shape.m; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      const unsigned number = row / 8 * 2 + column % 2, lane = 4 * (row % 8) + column / 2;
      auto sum = std::bit_cast<double>(wide_register(registers, number, lane));
      for (unsigned k = 0; k < shape.k; ++k) {
        const uint64_t left = wide_register(a, k / 4 * groups + row / 8, 4 * (row % 8) + k % 4);
        const uint64_t right = wide_register(b, k / 4, 4 * column + k % 4);
        sum = fused(std::bit_cast<double>(left), std::bit_cast<double>(right), sum);
      }
      set_wide_register(registers, number, lane, std::bit_cast<uint64_t>(sum));
    }
  }
}

void multiply_words(const cohort_matrix_form& form, const product_shape& shape, cohort_matrix_registers& registers) {
  word_matrices of;
  gather_rows(registers.words + shape.a_begin, shape.a_words, shape.m / 8, of.a);
  gather_columns(registers.words + shape.b_begin, shape.b_words, of.b);
  gather_accumulators(registers.words, shape.m, bits_of(form.c) == 16, of.c);
  if (is_sparse(form)) {
    gather_metadata(form, shape, [&](unsigned lane) { return registers.metadata[lane]; }, of);
  }
  if (form.d == cohort_element_s32) {
    multiply_integers(form, shape, of);
  } else {
    float_multiplier(form, shape, rule_of(form), of).multiply();
  }
  scatter_accumulators(of.d, shape.m, bits_of(form.d) == 16, registers.words);
}

// Elements of 32 or of 16 bits; two of 16 bits share a register.
uint32_t element_at(const register_words* from, unsigned lane, unsigned number, int element) {
  return bits_of(element) == 32 ? from[number][lane] : (from[number / 2][lane] >> (16 * (number % 2))) & 0xffffu;
}
void set_element(register_words* to, unsigned lane, unsigned number, int element, uint32_t value) {
  if (bits_of(element) == 32) {
    to[number][lane] = value;
  } else if (number % 2 == 0) {
    to[number / 2][lane] = value;
  } else {
    to[number / 2][lane] |= value << 16;
  }
}

// The row and the column of an element of C or D of m8n8k4 in its product (PTX ISA, fragments of m8n8k4).
struct position {
  unsigned row, column;
};
position quad_accumulator(unsigned lane, unsigned number, int element) {
  const unsigned upper = lane < 16 ? 0 : 4;
  return bits_of(element) == 16 ? position{lane % 4 + upper, number}
                                : position{(lane & 1) + (number & 2) + upper, (number & 4) + (lane & 2) + (number & 1)};
}

void multiply_four(const cohort_matrix_form& form, const product_shape& shape, register_words* registers) {
  const bool a_is_column = (form.flags_and_selector & cohort_matrix_a_is_column) != 0;
  const bool b_is_row = (form.flags_and_selector & cohort_matrix_b_is_row) != 0;
  word_matrices all[4] = {};
  auto put = [](uint32_t& word, unsigned k, uint32_t value) { word |= value << (16 * (k % 2)); };
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    word_matrices& of = all[lane % 16 / 4];
    const unsigned own = lane % 4, upper = lane < 16 ? 0 : 4;
    const register_words* const a = registers + shape.a_begin;
    const register_words* const b = registers + shape.b_begin;
    for (unsigned i = 0; i < 4; ++i) {
      const position at_a = a_is_column ? position{i + upper, own} : position{own + upper, i};
      const position at_b = b_is_row ? position{own, i + upper} : position{i, own + upper};
      put(of.a[at_a.row][at_a.column / 2], at_a.column, element_at(a, lane, i, cohort_element_f16));
      put(of.b[at_b.row / 2][at_b.column], at_b.row, element_at(b, lane, i, cohort_element_f16));
    }
    for (unsigned i = 0; i < 8; ++i) {
      const position at = quad_accumulator(lane, i, form.c);
      of.c[at.row][at.column] = element_at(registers, lane, i, form.c);
    }
  }
  for (word_matrices& of : all) {
    multiply_quads(form, of);
  }
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    for (unsigned i = 0; i < 8; ++i) {
      const position at = quad_accumulator(lane, i, form.d);
      set_element(registers, lane, i, form.d, all[lane % 16 / 4].d[at.row][at.column]);
    }
  }
}

// The lanes that the operands report; 0 if two lanes have different instructions.
uint32_t lanes_of_one_form(uint32_t lanes, void* const* operands) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const void* other = operands[std::countr_zero(rest)];
    if (std::memcmp(other, operands[first], sizeof(cohort_matrix_form)) != 0) {
      return 0;
    }
  }
  return lanes;
}

uint32_t* words_of(void* operand) { return reinterpret_cast<uint32_t*>(&head_of(operand) + 1); }

}  // namespace

void multiply_registers(const cohort_matrix_form& form, cohort_matrix_registers& registers) {
  if (const fast_product multiply = fast_product_of(form)) {
    multiply(registers);
    return;
  }
  const product_shape shape(form);
  if (form.a == cohort_element_f64) {
    multiply_doubles(shape, registers.words);
  } else if (shape.is_of_quads) {
    multiply_four(form, shape, registers.words);
  } else {
    multiply_words(form, shape, registers);
  }
}

void multiply_matrices(uint32_t lanes, void* const* operands) {
  const uint32_t found = lanes_of_one_form(lanes, operands);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    head_of(operands[std::countr_zero(rest)]).lanes = found;
  }
  if (found != 0xffffffffu) {
    return;
  }
  const cohort_matrix_form form = head_of(operands[0]).form;
  const product_shape shape(form);
  const unsigned count = shape.b_begin + shape.b_words;
  alignas(64) cohort_matrix_registers registers;
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    registers.metadata[lane] = head_of(operands[lane]).metadata;
    for (unsigned i = 0; i < count; ++i) {
      registers.words[i][lane] = words_of(operands[lane])[i];
    }
  }
  multiply_registers(form, registers);
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    for (unsigned i = 0; i < shape.d_words; ++i) {
      words_of(operands[lane])[i] = registers.words[i][lane];
    }
  }
}

}  // namespace cohort::engine
