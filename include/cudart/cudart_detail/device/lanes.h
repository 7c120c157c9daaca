// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of the warp intrinsics.
#pragma once

#include <cohort/machine/this_machine.hpp>

#include "macros.h"

// The lanes of `mask` that belong to the block. Sources name all 32 lanes also in a block of 16 threads and in a
// partial last warp; CUDA treats the missing lanes as exited threads.
COHORT_DEVICE_FUNCTION unsigned int cohort_existing_lanes(unsigned int mask) { return mask & cohort_tile_lanes(32); }
