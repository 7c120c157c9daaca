// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tensor/warpgroup_product.hpp"

#include <cohort/machine/cpu/port/matrix.hpp>

#include <cstring>
#include <optional>

#include "engine/tensor/fast_products.hpp"
#include "engine/tensor/float_products.hpp"
#include "engine/tensor/fragments.hpp"
#include "engine/tensor/integer_products.hpp"
#include "engine/tensor/matrix_product.hpp"

namespace cohort::engine {
namespace {

// The product of the warp's rows and eight columns of B.
cohort_matrix_form form_of_columns(const cohort_warpgroup_form& form) {
  cohort_matrix_form made = {};
  made.m = largest_rows;
  made.n = columns;
  made.k_of_4 = static_cast<uint8_t>(2 * form.k_of_8);
  made.a = form.a;
  made.b = form.b;
  made.c = made.d = form.d;
  const bool is_sparse = (form.flags & cohort_warpgroup_is_sparse) != 0;
  const bool saturates = (form.flags & cohort_warpgroup_saturates) != 0;
  made.flags_and_selector = static_cast<uint8_t>((is_sparse ? cohort_matrix_is_sparse : 0) +
                                                 (saturates ? cohort_matrix_saturates : 0) + 32 * form.selector);
  return made;
}

// The sign bits of the elements in a word.
uint32_t sign_bits(int element) {
  return bits_of(element) == 8 ? 0x80808080u : bits_of(element) == 16 ? 0x80008000u : 0x80000000u;
}

// Calls put(word, bits) for the words of a line, whose elements are adjacent in k.
template <class Put>
void read_line(const shared_matrix& from, unsigned line, unsigned words, Put put) {
  if (!from.is_transposed()) {
    for (unsigned word = 0; word < words; word += 4) {
      uint32_t unit[4];
      std::memcpy(unit, from.of_line(line, word / 4), sizeof unit);
      for (unsigned i = 0; i < 4; ++i) {
        put(word + i, unit[i]);
      }
    }
    return;
  }
  for (unsigned word = 0; word < words; ++word) {  // elements of 16 bits
    uint16_t pair[2];
    for (unsigned i = 0; i < 2; ++i) {
      std::memcpy(&pair[i], from.of_lines(line / 8, 2 * word + i) + 2 * (line % 8), sizeof pair[i]);
    }
    put(word, pair[0] | uint32_t{pair[1]} << 16);
  }
}

class warp_product {
 public:
  explicit warp_product(const warpgroup_operands& operands)
      : of_(operands),
        form_(form_of_columns(operands.form)),
        shape_(form_),
        a_signs_((operands.form.flags & cohort_warpgroup_negates_a) != 0 ? sign_bits(form_.a) : 0),
        b_signs_((operands.form.flags & cohort_warpgroup_negates_b) != 0 ? sign_bits(form_.b) : 0),
        registers_(registers_of(operands.form)) {}

  void multiply() {
    if (const fast_product multiply_registers = fast_product_of(form_)) {
      multiply_fast(multiply_registers);
    } else {
      multiply_exactly();
    }
  }

 private:
  void multiply_exactly() {
    read_a([&](unsigned row, unsigned word, uint32_t bits) { words_.a[row][word] = bits; });
    if (is_sparse(form_)) {
      gather_metadata(form_, shape_, [&](unsigned lane) { return of_.metadata[lane]; }, words_);
    }
    std::optional<float_multiplier> floats;
    if (form_.d != cohort_element_s32) {
      floats.emplace(form_, shape_, rule_of_warpgroup(form_), words_);
    }
    const shared_matrix b = of_.matrix_b();
    for (unsigned group = 0; group < of_.form.n_of_8; ++group) {
      for (unsigned column = 0; column < columns; ++column) {
        read_line(b, 8 * group + column, shape_.column_words,
                  [&](unsigned word, uint32_t bits) { words_.b[word][column] = bits ^ b_signs_; });
      }
      read_accumulators(group);
      if (floats) {
        floats->multiply();
      } else {
        multiply_integers(form_, shape_, words_);
      }
      write_results(group);
    }
  }

  // Eight columns are a product of the warp's registers, whose fragments D has, too.
  void multiply_fast(fast_product multiply_registers) {
    cohort_matrix_registers registers;
    register_words* const a = registers.words + shape_.a_begin;
    register_words* const b = registers.words + shape_.b_begin;
    read_a([&](unsigned row, unsigned word, uint32_t bits) {
      a[word / 4 * 2 + row / 8][4 * (row % 8) + word % 4] = bits;
    });
    const shared_matrix matrix = of_.matrix_b();
    for (unsigned group = 0; group < of_.form.n_of_8; ++group) {
      for (unsigned column = 0; column < columns; ++column) {
        read_line(matrix, 8 * group + column, shape_.column_words,
                  [&](unsigned word, uint32_t bits) { b[word / 4][4 * column + word % 4] = bits ^ b_signs_; });
      }
      uint32_t* const* const places = of_.d + group * shape_.d_words;
      for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        for (unsigned i = 0; i < shape_.d_words; ++i) {
          registers.words[i][lane] = of_.adds ? *places[lane * registers_ + i] : 0;
        }
      }
      multiply_registers(registers);
      for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        for (unsigned i = 0; i < shape_.d_words; ++i) *places[lane * registers_ + i] = registers.words[i][lane];
      }
    }
  }

  // Calls put(row, word, bits) for the words of A.
  template <class Put>
  void read_a(Put put) {
    if ((of_.form.flags & cohort_warpgroup_a_is_registers) != 0) {
      for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        for (unsigned i = 0; i < 4; ++i) {
          put(lane / 4 + 8 * (i % 2), lane % 4 + 4 * (i / 2), of_.a[lane][i] ^ a_signs_);
        }
      }
      return;
    }
    const shared_matrix a = of_.matrix_a();
    for (unsigned row = 0; row < largest_rows; ++row) {
      read_line(a, largest_rows * of_.warp + row, shape_.row_words,
                [&](unsigned word, uint32_t bits) { put(row, word, bits ^ a_signs_); });
    }
  }

  // Calls body(place of the first register, whether the next one follows it in memory, row, column) for the pairs of
  // registers of D in a group of eight columns: elements of 32 bits in adjacent columns.
  template <class Body>
  void for_each_pair(unsigned group, Body body) {
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
      uint32_t* const* places = of_.d + lane * registers_ + group * 4;
      for (unsigned upper = 0; upper < 2; ++upper, places += 2) {
        body(places, places[1] == places[0] + 1, lane / 4 + 8 * upper, 2 * (lane % 4));
      }
    }
  }
  // Calls body(place, row, column) for the registers with two elements of 16 bits.
  template <class Body>
  void for_each_half(unsigned group, Body body) {
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
      uint32_t* const* places = of_.d + lane * registers_ + group * 2;
      for (unsigned upper = 0; upper < 2; ++upper) {
        body(places[upper], lane / 4 + 8 * upper, 2 * (lane % 4));
      }
    }
  }
  void read_accumulators(unsigned group) {
    if (!of_.adds) {
      std::memset(words_.c, 0, sizeof words_.c);
    } else if (form_.d == cohort_element_f16) {
      for_each_half(group, [&](const uint32_t* place, unsigned row, unsigned column) {
        words_.c[row][column] = *place & 0xffffu;
        words_.c[row][column + 1] = *place >> 16;
      });
    } else {
      for_each_pair(group, [&](uint32_t* const* places, bool are_adjacent, unsigned row, unsigned column) {
        uint32_t* const to = &words_.c[row][column];
        if (are_adjacent) {
          std::memcpy(to, places[0], 2 * sizeof *to);
        } else {
          to[0] = *places[0];
          to[1] = *places[1];
        }
      });
    }
  }
  void write_results(unsigned group) {
    if (form_.d == cohort_element_f16) {
      for_each_half(group, [&](uint32_t* place, unsigned row, unsigned column) {
        *place = words_.d[row][column] | words_.d[row][column + 1] << 16;
      });
    } else {
      for_each_pair(group, [&](uint32_t* const* places, bool are_adjacent, unsigned row, unsigned column) {
        const uint32_t* const from = &words_.d[row][column];
        if (are_adjacent) {
          std::memcpy(places[0], from, 2 * sizeof *from);
        } else {
          *places[0] = from[0];
          *places[1] = from[1];
        }
      });
    }
  }

  const warpgroup_operands& of_;
  cohort_matrix_form form_;
  product_shape shape_;
  uint32_t a_signs_, b_signs_;
  unsigned registers_;
  word_matrices words_ = {};
};

}  // namespace

void multiply_in_warpgroup(const warpgroup_operands& operands) { warp_product(operands).multiply(); }

}  // namespace cohort::engine
