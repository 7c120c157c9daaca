// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations of the runtime, exact to the byte: those that exist, and freed ones whose addresses were not reused.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/memory/call_site.hpp"
#include "check/memory/pages.hpp"

namespace cohort::check {

struct known_allocation {
  const char* base = nullptr;
  size_t bytes = 0;
  const call_site* made = nullptr;
  const call_site* freed = nullptr;  // null: the memory is not freed

  const char* end() const { return base + bytes; }
  bool contains(const char* at) const { return at >= base && at < end(); }
};

// Adds a new allocation. `site`: where the program requested the memory.
void add_allocation(const void* first, size_t bytes, const call_site* site);
// Marks the memory as freed. Reports name it until its addresses are reused.
void free_allocation(const void* first, const call_site* site);
// Finds the allocation that contains `address`, freed or not, or else the nearest one within a page. False: there is
// none.
bool find_allocation(const void* address, known_allocation* found);

// For is_allocated(): each granule, 256 bytes of address space, has a count of the valid bytes at its beginning.
constexpr unsigned granule_bits = 8, granule_region_bits = 30;
constexpr uintptr_t granule = uintptr_t{1} << granule_bits;
extern std::atomic<std::atomic<uint16_t>*>* const granule_regions;

// The counts of the 1 GiB around `at`; null if no allocation lies there.
inline std::atomic<std::atomic<uint16_t>*>& region_around(uintptr_t at) {
  return granule_regions[(at & ((uintptr_t{1} << address_bits) - 1)) >> granule_region_bits];
}
inline size_t index_in_region(uintptr_t at) {
  return (at & ((uintptr_t{1} << granule_region_bits) - 1)) >> granule_bits;
}

inline bool is_allocated(uintptr_t at, size_t bytes) {
  for (const uintptr_t end = at + bytes; at < end; at = (at | (granule - 1)) + 1) {
    const std::atomic<uint16_t>* const region = region_around(at).load(std::memory_order_acquire);
    if (!region) return false;
    const uint16_t valid = region[index_in_region(at)].load(std::memory_order_relaxed);
    const uintptr_t begin = at & ~(granule - 1);
    const uintptr_t last = end - begin < granule ? end - begin : granule;
    if (last > valid) return false;
  }
  return true;
}

}  // namespace cohort::check
