// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of a warp.
#pragma once

#include <cstdint>

#include "engine/tensor/fragments.hpp"

namespace cohort::engine {

inline constexpr unsigned largest_rows = 16, columns = 8, largest_words = 16;

/// A and B in words: of A by rows, of B by columns; C and D in elements. Of sparse products `chosen` has a nibble for
/// each group of a row: the positions in the group of the two elements that A stores.
struct word_matrices {
  alignas(64) uint32_t a[largest_rows][largest_words];
  alignas(64) uint32_t b[largest_words][columns];
  alignas(64) uint32_t c[largest_rows][columns];
  alignas(64) uint32_t d[largest_rows][columns];
  uint8_t chosen[largest_rows][largest_words];
};

/// The column of A of element `i` that a row stores. A sparse row leaves elements out.
inline unsigned column_of_a(const cohort_matrix_form& form, const word_matrices& of, unsigned row, unsigned i) {
  if (!is_sparse(form)) {
    return i;
  }
  if (form.a == cohort_element_tf32) {  // one element of two; its position is that of a pair of halves
    return 2 * i + (of.chosen[row][i] & 3u) / 2;
  }
  const unsigned together = bits_of(form.a) == 4 ? 2 : 1;  // adjacent elements that are stored together
  const unsigned unit = i / together, group = unit / 2;
  const unsigned chosen = (of.chosen[row][group] >> (2 * (unit % 2))) & 3u;
  return (4 * group + chosen) * together + i % together;
}

/// The body of cohort_multiply_matrices(): computes D of all lanes. `operands`: by lane, a cohort_matrix_operand.
/// Leaves the registers alone where lanes are missing or call different instructions, which `lanes` of the operands
/// then tells.
void multiply_matrices(uint32_t lanes, void* const* operands);

}  // namespace cohort::engine
