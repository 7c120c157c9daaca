// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tensor/matrix_product.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "engine/tensor/float_products.hpp"
#include "engine/tensor/fragments.hpp"
#include "engine/tensor/integer_products.hpp"

namespace cohort::engine {
namespace {

cohort_matrix_operand& head_of(void* operand) { return *static_cast<cohort_matrix_operand*>(operand); }

// A NaN is that of B, of the accumulator or of A, in this order, or the negative default.
double fused(double a, double b, double c) {
  const double result = std::fma(a, b, c);
  if (!std::isnan(result)) [[likely]] {
    return result;
  }
  const double from = std::isnan(b) ? b : std::isnan(c) ? c : a;
  constexpr uint64_t quiet = 0x0008000000000000, standard = 0xfff8000000000000;
  return std::bit_cast<double>(std::isnan(from) ? std::bit_cast<uint64_t>(from) | quiet : standard);
}

// A chain of fused products in ascending k, from the accumulator.
void multiply_doubles(const product_shape& shape, void* const* operands) {
  double a[largest_rows][16], b[columns][16], c[largest_rows][columns];
  for_each_word_of_a(shape, 2, [&](unsigned lane, unsigned i, unsigned row, unsigned k) {
    a[row][k] = lane_registers<double>(operands[lane], shape.a_begin).get(i);
  });
  for_each_word_of_b(shape, 2, [&](unsigned lane, unsigned i, unsigned column, unsigned k) {
    b[column][k] = lane_registers<double>(operands[lane], shape.b_begin).get(i);
  });
  for_each_accumulator(shape, [&](unsigned lane, unsigned i, unsigned row, unsigned column) {
    c[row][column] = lane_registers<double>(operands[lane], 0).get(i);
  });
  for (unsigned row = 0; row < shape.m; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      double sum = c[row][column];
      for (unsigned k = 0; k < shape.k; ++k) {
        sum = fused(a[row][k], b[column][k], sum);
      }
      c[row][column] = sum;
    }
  }
  for_each_accumulator(shape, [&](unsigned lane, unsigned i, unsigned row, unsigned column) {
    lane_registers<double>(operands[lane], 0).set(i, c[row][column]);
  });
}

template <int Value>
using constant = std::integral_constant<int, Value>;

// Elements of C and D of 32 or of 16 bits; two of 16 bits share a register.
uint32_t element_at(const lane_registers<uint32_t>& from, unsigned number, int element) {
  return bits_of(element) == 32 ? from.get(number) : (from.get(number / 2) >> (16 * (number % 2))) & 0xffffu;
}
void set_element(const lane_registers<uint32_t>& to, unsigned number, int element, uint32_t value) {
  if (bits_of(element) == 32) {
    to.set(number, value);
  } else if (number % 2 == 0) {
    to.set(number / 2, value);
  } else {
    to.set(number / 2, to.get(number / 2) | value << 16);
  }
}

void gather_accumulators(int element, const product_shape& shape, void* const* operands, word_matrices& of) {
  auto gather = [&](auto known_element) {
    for_each_accumulator(shape, [&](unsigned lane, unsigned i, unsigned row, unsigned column) {
      of.c[row][column] = element_at(lane_registers<uint32_t>(operands[lane], 0), i, known_element);
    });
  };
  bits_of(element) == 16 ? gather(constant<cohort_element_f16>()) : gather(constant<cohort_element_f32>());
}
void scatter_results(int element, const product_shape& shape, void* const* operands, const word_matrices& of) {
  auto scatter = [&](auto known_element) {
    for_each_accumulator(shape, [&](unsigned lane, unsigned i, unsigned row, unsigned column) {
      set_element(lane_registers<uint32_t>(operands[lane], 0), i, known_element, of.d[row][column]);
    });
  };
  bits_of(element) == 16 ? scatter(constant<cohort_element_f16>()) : scatter(constant<cohort_element_f32>());
}

void multiply_words(const cohort_matrix_form& form, const product_shape& shape, void* const* operands) {
  word_matrices of;
  for_each_word_of_a(shape, 1, [&](unsigned lane, unsigned i, unsigned row, unsigned word) {
    of.a[row][word] = lane_registers<uint32_t>(operands[lane], shape.a_begin).get(i);
  });
  for_each_word_of_b(shape, 1, [&](unsigned lane, unsigned i, unsigned column, unsigned word) {
    of.b[word][column] = lane_registers<uint32_t>(operands[lane], shape.b_begin).get(i);
  });
  gather_accumulators(form.c, shape, operands, of);
  if (is_sparse(form)) {
    gather_metadata(form, shape, [&](unsigned lane) { return head_of(operands[lane]).metadata; }, of);
  }
  if (form.d == cohort_element_s32) {
    multiply_integers(form, shape, of);
  } else {
    float_multiplier(form, shape, rule_of(form), of).multiply();
  }
  scatter_results(form.d, shape, operands, of);
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

void multiply_four(const cohort_matrix_form& form, const product_shape& shape, void* const* operands) {
  const bool a_is_column = (form.flags_and_selector & cohort_matrix_a_is_column) != 0;
  const bool b_is_row = (form.flags_and_selector & cohort_matrix_b_is_row) != 0;
  word_matrices all[4] = {};
  auto put = [](uint32_t& word, unsigned k, uint32_t value) { word |= value << (16 * (k % 2)); };
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    word_matrices& of = all[lane % 16 / 4];
    const unsigned own = lane % 4, upper = lane < 16 ? 0 : 4;
    const lane_registers<uint32_t> a(operands[lane], shape.a_begin), b(operands[lane], shape.b_begin),
        c(operands[lane], 0);
    for (unsigned i = 0; i < 4; ++i) {
      const position at_a = a_is_column ? position{i + upper, own} : position{own + upper, i};
      const position at_b = b_is_row ? position{own, i + upper} : position{i, own + upper};
      put(of.a[at_a.row][at_a.column / 2], at_a.column, element_at(a, i, cohort_element_f16));
      put(of.b[at_b.row / 2][at_b.column], at_b.row, element_at(b, i, cohort_element_f16));
    }
    for (unsigned i = 0; i < 8; ++i) {
      const position at = quad_accumulator(lane, i, form.c);
      of.c[at.row][at.column] = element_at(c, i, form.c);
    }
  }
  for (word_matrices& of : all) {
    multiply_quads(form, of);
  }
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    for (unsigned i = 0; i < 8; ++i) {
      const position at = quad_accumulator(lane, i, form.d);
      set_element(lane_registers<uint32_t>(operands[lane], 0), i, form.d, all[lane % 16 / 4].d[at.row][at.column]);
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

}  // namespace

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
  if (form.a == cohort_element_f64) {
    multiply_doubles(shape, operands);
  } else if (shape.is_of_quads) {
    multiply_four(form, shape, operands);
  } else {
    multiply_words(form, shape, operands);
  }
}

}  // namespace cohort::engine
