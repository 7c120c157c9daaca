// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kind of memory that a copy, a fill or a call of a library accesses.
#pragma once

#include <cstddef>

namespace cohort::runtime {

enum class memory_side {
  pageable,  // memory that no call of CUDA has allocated or registered
  pinned,
  device,
  outside,  // no allocation holds the whole range: it exceeds one, was freed, or no device has rights for it
};

struct memory_place {
  memory_side side = memory_side::pageable;
  int device = -1;                // the owner; -1 for memory without a single owner
  const char* illegal = nullptr;  // if `side` is outside: the first byte of the range that cannot be accessed
  const char* end = nullptr;      // if `side` is pinned or device: the end of the memory around the range

  bool operator==(memory_side other) const { return side == other; }
};

// Finds the memory of a range. Memory of graphs is the device's, allocated at this time or not.
memory_place find_memory(const void* first, size_t bytes, bool writes);

}  // namespace cohort::runtime
