// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a kernel.
#pragma once

#include "contexts.hpp"

// Conditions of a gang version.
enum {
  cohort_gang_full_rows = 1,   // blockDim.x is a multiple of the width, so that a gang lies in one row of the block
  cohort_gang_full = 2,        // the gang has all its lanes
  cohort_gang_small_grid = 4,  // gridDim.x * blockDim.x is at most 2^27
  cohort_gang_half_warp = 8    // the block has `row_lanes` threads in a row, and no others
};
enum {                            // flags of a kernel
  cohort_kernel_plain = 1,        // arguments[0] points to the address of a plain C++ function, for reports to show
  cohort_kernel_block_gangs = 2,  // block_entry runs gangs: not used under COHORT_GANGS=off
  cohort_kernel_no_locals = 4     // no pointer into its stack can exist: there is no array to overrun
};

#include "structures_begin.inc"

#include "kernel.inc"

#include "structures_end.inc"
