// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --check=memory: accesses outside of allocations and variables, and reads of memory that nothing has written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/order/clocks.hpp"
#include "check/report/findings.hpp"

namespace cohort::check {

// Reports the access if a byte of it lies outside of the memory that it begins in, or near.
// pre: is_allocated() is false for the access
void check_bounds(const accessor& c, const access& now);
// Host code accesses memory of the runtime: reports each place that accesses device memory, at once and once.
void check_device_memory_of_host(const void* address, size_t bytes, uint8_t flags, const void* place);
// Whether the bytes lie in one shared variable or device variable, which is not constant if the thread `writes` it. The
// block's clock then keeps the variable's range.
bool remember_variable(block_clock& b, uintptr_t at, size_t bytes, bool writes);
// Reports an access of a thread whose address is no multiple of `alignment`. The launch then fails with CUDA's error.
void report_misaligned(const void* address, size_t alignment, uint8_t flags, const void* place);
// The checks of values compare the address with the size, up to this one: LLVM promises no more of larger values.
constexpr size_t most_checked_alignment = 8;
// `alignment`: a power of two.
inline void check_alignment(const void* address, size_t alignment, uint8_t flags, const void* place) {
  const bool is_aligned = (reinterpret_cast<uintptr_t>(address) & (alignment - 1)) == 0;
  if (__builtin_expect(!is_aligned, 0)) report_misaligned(address, alignment, flags, place);
}
// The access reads, and no byte of it was written since the memory exists. `in_part`: a copy or fill ended in it.
void note_unwritten(const accessor& c, const access& now, bool in_part = false);
// The destination has the words of the source that were never written: neither are those of the destination.
void copy_unwritten(const void* to, const void* from, size_t bytes);

// A copy or fill was requested. True: it exceeds its memory, or the memory was freed.
bool check_request(const void* first, size_t bytes, bool writes, bool fills);
// The runtime has refused to free the address. False: the memory is not checked.
bool check_refused_free(const void* memory);

// An access to a local array or parameter of `size` bytes at `base`.
void check_local(const accessor& c, const access& now, const void* base, size_t size);

}  // namespace cohort::check
