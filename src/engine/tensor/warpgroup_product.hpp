// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a warpgroup's product (wgmma) that one of its warps has: 16 rows of D.
#pragma once

#include <cohort/machine/cpu/port/matrix.hpp>
#include <cohort/machine/cpu/port/warpgroup.hpp>

#include <cstdint>

#include "engine/tensor/shared_matrix.hpp"

namespace cohort::engine {

inline constexpr unsigned rows_of_warpgroup = 64, rows_of_warp = 16;

/// Registers of D that a lane holds.
constexpr unsigned registers_of(const cohort_warpgroup_form& form) {
  return form.n_of_8 * (form.d == cohort_element_f16 ? 2u : 4u);
}

struct warpgroup_operands {
  cohort_warpgroup_form form;
  const char* shared;  // the start of the block's shared memory
  uint64_t a_matrix, b_matrix;
  const uint32_t (*a)[4];    // A in registers, indexed by lane
  const uint32_t* metadata;  // indexed by lane
  uint32_t* const* d;        // places of the registers of D, those of lane 0 first
  bool adds;                 // the old D is added to the product
  unsigned warp;             // number of the warp in its warpgroup

  shared_matrix matrix_a() const { return {a_matrix, shared, (form.flags & cohort_warpgroup_a_is_transposed) != 0}; }
  shared_matrix matrix_b() const { return {b_matrix, shared, (form.flags & cohort_warpgroup_b_is_transposed) != 0}; }
  /// Bytes of a line of A as it is stored, and of B.
  unsigned line_bytes_a() const { return 32; }
  unsigned line_bytes_b() const { return (form.flags & cohort_warpgroup_is_sparse) != 0 ? 64 : 32; }
  /// Elements of a line of A that are stored.
  unsigned stored_k() const { return form.k_of_8 * 8u / ((form.flags & cohort_warpgroup_is_sparse) != 0 ? 2 : 1); }
};

/// Computes the rows of the warp: reads the matrices and the old D, and writes D.
void multiply_in_warpgroup(const warpgroup_operands& operands);

}  // namespace cohort::engine
