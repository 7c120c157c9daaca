// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices in the registers of a warp: products, and functions that cohortcc calls for inline PTX. A matrix of 8 x 8
// elements of 16 bits has its row r in the lanes 4 r to 4 r + 3, two elements each.
#pragma once

#include <cohort/machine/cpu/port/matrix.hpp>
#include <cohort/machine/this_machine.hpp>

#include "../macros.h"
#include "function.h"

// Fails the launch unless the warp has 32 threads, which the instructions with `.aligned` need.
COHORT_DEVICE_FUNCTION void cohort_require_full_warp(const char* name) {
  if (cohort_tile_lanes(32) != 0xffffffffu) {
    cohort_fail(719,
                "%s in a warp of fewer than 32 threads: all 32 execute it; make the block a multiple of 32 threads",
                name);  // cudaErrorLaunchFailure
  }
}

// Multiplies the matrices of the warp; `operand` is the lane's cohort_matrix_operand.
COHORT_DEVICE_FUNCTION void cohort_multiply_in_warp(void* operand, const char* name) {
  cohort_require_full_warp(name);
  cohort_wait_warp(0xffffffffu, cohort_multiply_matrices, operand, name);
  const unsigned int lanes = static_cast<cohort_matrix_operand*>(operand)->lanes;
  if (lanes != 0xffffffffu) {
    cohort_fail(719,
                lanes == 0 ? "%s: threads of the warp execute different products together; all 32 execute the same one"
                           : "%s: threads of the warp have returned from the kernel; all 32 execute it",
                name);
  }
}

#if defined(__CUDA_ARCH__)

COHORT_PTX_FUNCTION void cohort_ptx_multiply(void* operand, const char* name) {
  cohort_multiply_in_warp(operand, name);
}

// The address of the row that `lane` passes, in a warp whose lanes 8 i to 8 i + 7 pass the rows of matrix i.
COHORT_DEVICE_FUNCTION char* cohort_row_of_matrix(void* address, unsigned int lane, const char* name) {
  cohort_require_full_warp(name);
  const uint64_t row =
      cohort::this_machine::shuffle<uint64_t>(0xffffffffu, reinterpret_cast<uint64_t>(address), lane, name);
  if (row % 16 != 0) {
    cohort_fail(716, "%s: the address of a row is no multiple of 16", name);  // cudaErrorMisalignedAddress
  }
  return reinterpret_cast<char*>(row);
}

COHORT_PTX_FUNCTION unsigned int cohort_ptx_load_matrix(void* address, unsigned int matrix, const char* name) {
  const unsigned int lane = cohort_thread_rank() % 32;
  const char* row = cohort_row_of_matrix(address, 8 * matrix + lane / 4, name);
  return *reinterpret_cast<const unsigned int*>(row + 4 * (lane % 4));
}

// Lane l holds the elements 2 (l % 4) and 2 (l % 4) + 1 of column l / 4.
COHORT_PTX_FUNCTION unsigned int cohort_ptx_load_transposed(void* address, unsigned int matrix, const char* name) {
  const unsigned int lane = cohort_thread_rank() % 32, first = 8 * matrix + 2 * (lane % 4);
  const char* low = cohort_row_of_matrix(address, first, name);
  const char* high = cohort_row_of_matrix(address, first + 1, name);
  return *reinterpret_cast<const unsigned short*>(low + 2 * (lane / 4)) |
         static_cast<unsigned int>(*reinterpret_cast<const unsigned short*>(high + 2 * (lane / 4))) << 16;
}

COHORT_PTX_FUNCTION void cohort_ptx_store_matrix(void* address, unsigned int matrix, unsigned int value,
                                                 const char* name) {
  const unsigned int lane = cohort_thread_rank() % 32;
  char* row = cohort_row_of_matrix(address, 8 * matrix + lane / 4, name);
  *reinterpret_cast<unsigned int*>(row + 4 * (lane % 4)) = value;
}

COHORT_PTX_FUNCTION void cohort_ptx_store_transposed(void* address, unsigned int matrix, unsigned int value,
                                                     const char* name) {
  const unsigned int lane = cohort_thread_rank() % 32, first = 8 * matrix + 2 * (lane % 4);
  char* low = cohort_row_of_matrix(address, first, name);
  char* high = cohort_row_of_matrix(address, first + 1, name);
  *reinterpret_cast<unsigned short*>(low + 2 * (lane / 4)) = static_cast<unsigned short>(value);
  *reinterpret_cast<unsigned short*>(high + 2 * (lane / 4)) = static_cast<unsigned short>(value >> 16);
}

COHORT_PTX_FUNCTION unsigned int cohort_ptx_transpose_matrix(unsigned int value, const char* name) {
  cohort_require_full_warp(name);
  const unsigned int lane = cohort_thread_rank() % 32, column = lane / 4, source = 8 * (lane % 4) + column / 2;
  const unsigned int low = cohort::this_machine::shuffle(0xffffffffu, value, source, name);
  const unsigned int high = cohort::this_machine::shuffle(0xffffffffu, value, source + 4, name);
  const unsigned int shift = 16 * (column % 2);
  return ((low >> shift) & 0xffffu) | (high >> shift) << 16;
}

#endif
