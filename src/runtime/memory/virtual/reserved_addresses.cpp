// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/virtual/reserved_addresses.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

#include "runtime/memory/virtual/physical_memory.hpp"

namespace cohort::runtime {

namespace {

// Address space is obtained in units of this size, so a reservation can grow at its end. Under a limit of address space
// (ulimit -v), only what a reservation needs is obtained.
constexpr size_t usual_bytes = size_t{1} << (sizeof(void*) == 8 ? 40 : 28);
constexpr size_t gap = physical_granularity;
// Bytes at both ends that stay inaccessible: an index that is far off reaches no other data of the process.
constexpr size_t end_margin = usual_bytes >> 10;

bool is_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

void* map_inaccessible(void* at, size_t bytes, int flags) {
  void* const made = mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

uint64_t number_of(const char* address) { return reinterpret_cast<uintptr_t>(address); }
char* address_of(uint64_t number) { return reinterpret_cast<char*>(static_cast<uintptr_t>(number)); }

}  // namespace

char* reserved_addresses::take_hint(size_t bytes, size_t alignment, char* hint) {
  if (!hint || number_of(hint) % alignment != 0 || bytes > UINTPTR_MAX - number_of(hint)) return nullptr;
  if (free_.take_at(number_of(hint), bytes)) return hint;
  void* const made = map_inaccessible(hint, bytes, MAP_FIXED_NOREPLACE);
  if (made && made != hint) munmap(made, bytes);  // a kernel older than 4.17 ignores the flag
  return made == hint ? hint : nullptr;
}

bool reserved_addresses::obtain(size_t needed) {
  const size_t most = is_limited() ? needed : std::max(needed, usual_bytes);
  for (size_t bytes = most;; bytes = std::max(needed, bytes / 2)) {
    if (void* const made = map_inaccessible(nullptr, bytes, 0)) {
      const size_t margin = bytes - needed >= 2 * end_margin ? end_margin : 0;
      free_.add(number_of(static_cast<char*>(made)) + margin, bytes - 2 * margin);
      return true;
    }
    if (bytes == needed) return false;
  }
}

char* reserved_addresses::take(size_t bytes, size_t alignment, char* hint) {
  alignment = std::max(alignment, physical_granularity);
  if (char* const at = take_hint(bytes, alignment, hint)) return at;
  if (const auto found = free_.take(bytes, alignment, gap)) return address_of(*found);
  size_t needed = 0;
  if (__builtin_add_overflow(bytes, alignment + 2 * gap, &needed) || needed > SIZE_MAX / 4) return nullptr;
  if (!obtain((needed + gap - 1) / gap * gap)) return nullptr;
  const auto found = free_.take(bytes, alignment, gap);
  return found ? address_of(*found) : nullptr;
}

void reserved_addresses::give_back(char* first, size_t bytes) { free_.add(number_of(first), bytes); }

}  // namespace cohort::runtime
