// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures between running threads and the engine.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"

// Type of a field, with the extents of an array or the parameters of a function, as in int[3].
template <class T>
using cohort_field = T;

enum {
  // Alignment of a block's static and dynamic shared memory: the swizzles of bulk copies repeat after 1024 bytes.
  cohort_shared_alignment = 1024,
  // Bytes on both sides of a block's shared memory that belong to the block: a vector access of 256 lanes of 8 bytes
  // with one lane in shared memory stays inside.
  cohort_shared_margin = 2048
};

#include "structures_begin.inc"

#include "contexts.inc"

#include "structures_end.inc"
