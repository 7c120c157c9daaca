// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --check=memory: accesses outside of allocations and variables, and reads of memory that was never written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/order/clocks.hpp"
#include "check/report/findings.hpp"

namespace cohort::check {

// The allocation that holds the bytes; empty if none does. For ranges of any size: is_allocated() takes a step for each
// 256 bytes.
address_range find_allocation_around(uintptr_t at, size_t bytes);
// Reports an access that leaves the memory in which, or near which, it begins. pre: is_allocated() is false for the
// access
void check_bounds(const accessor& c, const access& now);
// Reports an access of host code to device memory, immediately and once for each place.
void check_device_memory_of_host(const void* address, size_t bytes, uint8_t flags, const void* place);
// True if the bytes lie in one shared or device variable that the thread may access; false for a write of a constant
// one. The block's clock then caches the variable's range.
bool remember_variable(block_clock& b, uintptr_t at, size_t bytes, bool writes);
// Reports an access of a thread whose address is no multiple of `alignment`. The launch then fails with CUDA's error.
void report_misaligned(const void* address, size_t alignment, uint8_t flags, const void* place);
// The largest alignment that is checked for an access of a value: LLVM guarantees no more for larger values.
constexpr size_t most_checked_alignment = 8;
// Reports an access whose address is no multiple of `alignment`, a power of two.
inline void check_alignment(const void* address, size_t alignment, uint8_t flags, const void* place) {
  const bool is_aligned = (reinterpret_cast<uintptr_t>(address) & (alignment - 1)) == 0;
  if (__builtin_expect(!is_aligned, 0)) report_misaligned(address, alignment, flags, place);
}
// Reports a read of bytes that were not written since the memory exists. `in_part`: a copy or fill ended within the
// bytes.
void note_unwritten(const accessor& c, const access& now, bool in_part = false);
// After a copy: marks those words of the destination as unwritten whose words in the source are unwritten.
void copy_unwritten(const void* to, const void* from, size_t bytes);

// Checks the range of a copy or fill that the host requests. Returns true if it exceeds its memory, or the memory was
// freed; the finding is then added.
bool check_request(const void* first, size_t bytes, bool writes, bool fills);
// Reports that the runtime refused to free the address. False: the memory is not checked.
bool check_refused_free(const void* memory);

// Reports an access that leaves the local array or parameter of `size` bytes at `base`.
void check_local(const accessor& c, const access& now, const void* base, size_t size);

}  // namespace cohort::check
