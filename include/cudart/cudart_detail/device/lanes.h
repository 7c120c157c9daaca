// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of the warp intrinsics.
#pragma once

#include <cohort/machine/this_machine.hpp>

#include "macros.h"

// The lanes of `mask` that belong to the block. Sources name all 32 lanes also in a block of 16 threads and in a
// partial last warp; CUDA treats the missing lanes as exited threads.
COHORT_DEVICE_FUNCTION unsigned int cohort_existing_lanes(unsigned int mask) {
  using machine = cohort::this_machine;
  const unsigned int threads = machine::block_dim(0) * machine::block_dim(1) * machine::block_dim(2);
  const unsigned int rank =
      (machine::thread_index(2) * machine::block_dim(1) + machine::thread_index(1)) * machine::block_dim(0) +
      machine::thread_index(0);
  const unsigned int rest = threads - (rank & ~31u);
  return rest >= 32u ? mask : mask & ((1u << rest) - 1u);
}
