// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from the operating system, for all calls that allocate.
#pragma once

#include <cstddef>

namespace cohort::runtime {

// Alignment of allocations, as on a GPU.
constexpr size_t memory_alignment = 256;

// Allocates uncleared memory. Null if the system has too little or the size is out of range. pre: bytes > 0
void* obtain_memory(size_t bytes);
// Frees memory that obtain_memory(bytes) returned.
void release_memory(void* memory, size_t bytes);

}  // namespace cohort::runtime
