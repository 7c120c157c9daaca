// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Red zones beside memory of the engine and the runtime. In a program with AddressSanitizer, code compiled with
// -fsanitize=address reports accesses to them, and so do memcpy, memset and system calls from any code. Other programs
// have none.
#pragma once

#include <cstddef>

extern "C" {
// AddressSanitizer's interface; null without it.
__attribute__((weak)) void __asan_poison_memory_region(const volatile void* begin, size_t bytes);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* begin, size_t bytes);
}

namespace cohort {
namespace detail {

inline bool has_red_zones() { return &__asan_poison_memory_region != nullptr; }

/// Makes [begin, end) a red zone, from its first byte on. If `end` is no multiple of 8, the bytes of its word stay
/// accessible, because other memory may begin there.
inline void make_red_zone(const char* begin, const char* end) {
  if (has_red_zones() && begin < end) __asan_poison_memory_region(begin, static_cast<size_t>(end - begin));
}

/// Makes [begin, end) accessible, and the bytes before `begin` in its word of 8 bytes.
inline void end_red_zone(const char* begin, const char* end) {
  if (has_red_zones() && begin < end) __asan_unpoison_memory_region(begin, static_cast<size_t>(end - begin));
}

}  // namespace detail
}  // namespace cohort
