// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of the functions for products of a warpgroup, D = A * B + D (PTX ISA, wgmma).
#pragma once

#include <stdint.h>

enum cohort_warpgroup_flags {
  cohort_warpgroup_a_is_registers = 1,  // else A has a matrix descriptor, as B always has
  cohort_warpgroup_is_sparse = 2,
  cohort_warpgroup_saturates = 4,   // the modifier .satfinite
  cohort_warpgroup_negates_a = 8,   // imm-scale-a is -1
  cohort_warpgroup_negates_b = 16,  // imm-scale-b is -1
  cohort_warpgroup_a_is_transposed = 32,
  cohort_warpgroup_b_is_transposed = 64
};

// The instruction: the shape m64nNkK, the types of the elements as cohort_element, the selector of the lanes that hold
// the metadata of a sparse product.
struct cohort_warpgroup_form {
  uint8_t n_of_8, k_of_8;  // N / 8, K / 8
  uint8_t a, b, d;
  uint8_t selector;
  uint16_t flags;
};

// Results of the calls.
enum cohort_warpgroup_status {
  cohort_warpgroup_is_done,
  cohort_warpgroup_lacks_lanes,         // lanes of the warp have returned
  cohort_warpgroup_lanes_differ,        // lanes of the warp passed other instructions, matrices or scales
  cohort_warpgroup_warps_differ,        // an earlier warp passed another instruction or matrix
  cohort_warpgroup_lacks_warps,         // the block has no full warpgroup at the thread's warp
  cohort_warpgroup_a_is_beyond_shared,  // the matrix reaches beyond the block's shared memory
  cohort_warpgroup_b_is_beyond_shared
};

// The operand of a lane that starts a product. `d` has an entry for each register of D that the lane holds: the address
// of that register, which is read and written when the product is executed.
struct cohort_warpgroup_product {
  struct cohort_warpgroup_form form;
  uint64_t a_matrix, b_matrix;  // matrix descriptors
  uint32_t a[4];                // A in registers
  uint32_t metadata;            // sparse products only
  uint32_t adds;                // scale-d: 0 ignores the old D
  uint32_t thread;              // the lane's rank in its block
  uint32_t status;              // result of the call
  uint32_t* d[1];
};

// The operand of a lane that commits a group of products, or waits until at most `left` groups are not executed.
struct cohort_warpgroup_step {
  uint32_t thread;
  uint32_t status;  // result of the call
  uint32_t left;
};
