// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/memory/allocations.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace cohort::check {

namespace {

constexpr ptrdiff_t nearby = 4096;

std::mutex mutex;
auto& by_base = *new std::map<const char*, known_allocation>;

std::atomic<uint16_t>& granule_of(uintptr_t at) {
  auto& region = region_around(at);
  if (!region.load()) {
    region.store(
        static_cast<std::atomic<uint16_t>*>(lazy_pages(sizeof(uint16_t) << (granule_region_bits - granule_bits))));
  }
  return region.load()[index_in_region(at)];
}

// Sets the counts of valid bytes. The runtime aligns allocations to 256 bytes, so a granule belongs to one of them.
void set_granules(const char* base, size_t bytes, bool exist) {
  const auto first = reinterpret_cast<uintptr_t>(base);
  for (size_t at = 0; at < bytes; at += granule) {
    granule_of(first + at) = static_cast<uint16_t>(exist ? std::min<size_t>(bytes - at, granule) : 0);
  }
}

ptrdiff_t distance(const known_allocation& a, const char* at) {
  if (a.contains(at)) return 0;
  return at < a.base ? a.base - at : at - a.end() + 1;
}

}  // namespace

std::atomic<std::atomic<uint16_t>*>* const granule_regions = static_cast<std::atomic<std::atomic<uint16_t>*>*>(
    lazy_pages(sizeof(void*) << (address_bits - granule_region_bits)));

void add_allocation(const void* first, size_t bytes, const call_site* site) {
  const char* const base = static_cast<const char*>(first);
  const std::lock_guard lock(mutex);
  // Removes entries of freed memory that overlap the new allocation.
  auto at = by_base.lower_bound(base);
  if (at != by_base.begin() && std::prev(at)->second.end() > base) --at;
  while (at != by_base.end() && at->first < base + bytes) at = by_base.erase(at);
  by_base[base] = {base, bytes, site, nullptr};
  set_granules(base, bytes, true);
}

void free_allocation(const void* first, const call_site* site) {
  const std::lock_guard lock(mutex);
  const auto at = by_base.find(static_cast<const char*>(first));
  if (at == by_base.end()) return;
  at->second.freed = site;
  set_granules(at->first, at->second.bytes, false);
}

bool find_allocation(const void* address, known_allocation* found) {
  const char* const wanted = static_cast<const char*>(address);
  const std::lock_guard lock(mutex);
  const auto after = by_base.upper_bound(wanted);
  const known_allocation* nearest = nullptr;
  if (after != by_base.end()) nearest = &after->second;
  if (after != by_base.begin()) {
    const known_allocation& before = std::prev(after)->second;
    if (!nearest || distance(before, wanted) <= distance(*nearest, wanted)) nearest = &before;
  }
  if (!nearest || distance(*nearest, wanted) > nearby) return false;
  *found = *nearest;
  return true;
}

}  // namespace cohort::check
