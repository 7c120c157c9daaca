// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a matrix product of a warp, D = A * B + C (PTX ISA, mma and mma.sp).
#pragma once

#include <stdint.h>

// Types of elements.
enum cohort_element {
  cohort_element_f16,
  cohort_element_bf16,
  cohort_element_tf32,
  cohort_element_e4m3,
  cohort_element_e5m2,
  cohort_element_f32,
  cohort_element_f64,
  cohort_element_s8,
  cohort_element_u8,
  cohort_element_s4,
  cohort_element_u4,
  cohort_element_b1,
  cohort_element_s32
};

enum cohort_matrix_flags {
  cohort_matrix_saturates = 1,  // the modifier .satfinite
  cohort_matrix_xor = 2,        // the modifier .xor.popc; else .and.popc
  cohort_matrix_is_sparse = 4,
  cohort_matrix_a_is_column = 8,  // in m8n8k4, for f16 only
  cohort_matrix_b_is_row = 16
};

// The instruction: the shape, the types of the elements, flags, and of sparse products the selector of the lanes that
// hold the metadata.
struct cohort_matrix_form {
  uint8_t m, n;
  uint8_t k_of_4;  // k / 4
  uint8_t a, b, c, d;
  uint8_t flags_and_selector;  // flags + 32 * selector
};

// The operand of a lane for cohort_multiply_matrices(): this head, then 32-bit registers. First those of C, which D
// replaces (as many as D has, if D has more), then those of A, then those of B.
struct cohort_matrix_operand {
  struct cohort_matrix_form form;
  uint32_t lanes;     // result: the lanes that took part; 0 if they called different instructions
  uint32_t metadata;  // sparse products only
};

enum { cohort_matrix_largest_registers = 32 };

// The operand of a whole warp for cohort_multiply_registers(): the registers in the same order, each with the words of
// all lanes.
struct cohort_matrix_registers {
  uint32_t metadata[32];
  uint32_t words[cohort_matrix_largest_registers][32];
};
