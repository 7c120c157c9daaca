// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from the system, for all allocating calls.
#pragma once

#include <cstddef>

namespace cohort::runtime {

// Base addresses are multiples of this, as on a GPU.
constexpr size_t memory_alignment = 256;

// Null if the system has not got it, also for absurd sizes. Not cleared. pre: bytes > 0
void* obtain_memory(size_t bytes);
// Gives back what `obtain_memory(bytes)` returned.
void release_memory(void* memory, size_t bytes);

}  // namespace cohort::runtime
