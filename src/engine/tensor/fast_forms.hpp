// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products that have fast code (fast_products.hpp), and their lookup in a table of functions.
#pragma once

#include <cohort/machine/cpu/port/matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/tensor/fast_products.hpp"

namespace cohort::engine {

/// ROW(the type of A and B, of C and D, k) for each product of 16 x 8 x k.
#define COHORT_FAST_FORMS(ROW) \
  ROW(f16, f32, 16)            \
  ROW(bf16, f32, 16)           \
  ROW(tf32, f32, 8) ROW(f16, f16, 16) ROW(tf32, f32, 4) ROW(f16, f32, 8) ROW(bf16, f32, 8) ROW(f16, f16, 8)

constexpr cohort_matrix_form fast_form(int element, int sum, unsigned k) {
  const auto factor = static_cast<uint8_t>(element), result = static_cast<uint8_t>(sum);
  return {16, 8, static_cast<uint8_t>(k / 4), factor, factor, result, result, 0};
}

struct fast_row {
  cohort_matrix_form form;
  fast_product product;
};

/// The product of a form; null if the table lacks it.
template <size_t rows>
fast_product find_product(const fast_row (&table)[rows], const cohort_matrix_form& form) {
  for (const fast_row& row : table) {
    if (std::memcmp(&row.form, &form, sizeof form) == 0) return row.product;
  }
  return nullptr;
}

}  // namespace cohort::engine
