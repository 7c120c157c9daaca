// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of a warp.
#pragma once

#include <cstdint>

#include "engine/tensor/fragments.hpp"

namespace cohort::engine {

inline constexpr unsigned largest_rows = 16, columns = 8, largest_words = 16;

/// A and B in words, A row by row and B column by column; C and D in elements. In sparse products `chosen` has a nibble
/// for each group of a row: the positions in the group of the two elements that A stores.
struct word_matrices {
  alignas(64) uint32_t a[largest_rows][largest_words];
  alignas(64) uint32_t b[largest_words][columns];
  alignas(64) uint32_t c[largest_rows][columns];
  alignas(64) uint32_t d[largest_rows][columns];
  uint8_t chosen[largest_rows][largest_words];
};

/// The column of the i-th element that a row of A stores. A sparse row leaves elements out.
inline unsigned column_of_a(const cohort_matrix_form& form, const word_matrices& of, unsigned row, unsigned i) {
  if (!is_sparse(form)) {
    return i;
  }
  if (form.a == cohort_element_tf32) {  // 1:2 sparse; the metadata counts an element as two halves
    return 2 * i + (of.chosen[row][i] & 3u) / 2;
  }
  const unsigned together = bits_of(form.a) == 4 ? 2 : 1;  // adjacent elements that are stored together
  const unsigned unit = i / together, group = unit / 2;
  const unsigned chosen = (of.chosen[row][group] >> (2 * (unit % 2))) & 3u;
  return (4 * group + chosen) * together + i % together;
}

/// The metadata of a row, four bits for each of its 4, 8 or 16 groups. For floats of 16 and 32 bits, rows r and r + 8
/// share a register of quad r, four groups each, and the next four groups lie in the next lane. For smaller elements,
/// eight groups of row r fill the register of a lane, and those of row r + 8 that of the next. `metadata(lane)`: the
/// register of a lane.
template <class Metadata>
void gather_metadata(const cohort_matrix_form& form, const product_shape& shape, Metadata metadata, word_matrices& of) {
  const unsigned group_bits = form.a == cohort_element_tf32 ? 64 : 4 * (bits_of(form.a) == 4 ? 8 : bits_of(form.a));
  const unsigned groups = shape.column_words * 32 / group_bits, lanes = groups / 4;
  const unsigned first = lanes * (form.flags_and_selector / 32u) % 4;
  const bool is_wide = bits_of(form.a) >= 16;
  for (unsigned row = 0; row < shape.m; ++row) {
    const unsigned upper = row / 8;
    for (unsigned i = 0; i < groups; ++i) {
      const unsigned lane = 4 * (row % 8) + first + (is_wide ? i / 4 : upper + i / 8 * 2);
      const unsigned shift = is_wide ? 16 * upper + 4 * (i % 4) : 4 * (i % 8);
      of.chosen[row][i] = static_cast<uint8_t>((metadata(lane) >> shift) & 15u);
    }
  }
}

/// The body of cohort_multiply_matrices(): computes D of all lanes. `operands`: by lane, a cohort_matrix_operand. If
/// lanes are missing or call different instructions, leaves the registers unchanged and reports it in `lanes` of the
/// operands.
void multiply_matrices(uint32_t lanes, void* const* operands);

/// The body of cohort_multiply_registers(): computes D of a whole warp from its registers.
void multiply_registers(const cohort_matrix_form& form, cohort_matrix_registers& registers);

}  // namespace cohort::engine
