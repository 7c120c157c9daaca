// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/virtual/address_space.hpp"

#include <sys/mman.h>

#include <bit>
#include <iterator>
#include <utility>
#include <vector>

#include "runtime/guard/distance.hpp"
#include "runtime/guard/memory_owner.hpp"
#include "runtime/guard/pages.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

bool is_granular(const char* first, size_t bytes) {
  const auto at = reinterpret_cast<uintptr_t>(first);
  return bytes > 0 && (at | bytes) % physical_granularity == 0 && bytes <= UINTPTR_MAX - at;
}

// The protection of pages for the union of all devices' rights, because kernels of all devices run in one process.
int protection_of(const access_rights& rights) {
  if (rights.writers != 0) return PROT_READ | PROT_WRITE;
  return rights.readers != 0 ? PROT_READ : PROT_NONE;
}

// Replaces a mapping by inaccessible pages.
bool map_nothing(char* first, size_t bytes) {
  return mmap(first, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

// The entry of `map` that contains `address`, or its end. `bytes_of` returns the size of an entry.
template <class Map, class BytesOf>
auto entry_around(Map& map, const char* address, BytesOf&& bytes_of) {
  auto at = map.upper_bound(const_cast<char*>(address));
  if (at == map.begin()) return map.end();
  --at;
  return static_cast<size_t>(address - at->first) < bytes_of(at->second) ? at : map.end();
}

constexpr auto size_of_reservation = [](size_t bytes) { return bytes; };
constexpr auto size_of_mapping = [](const auto& m) { return m.bytes; };

address_description describe_reserved(const void* address) {
  reserved_place place;
  if (!address_space::instance().find(address, &place)) return {};
  if (!place.memory) {
    return {nearness::inside, byte_of(address, place.base, place.bytes) + " reserved by cuMemAddressReserve" +
                                  at_address(place.base) + ", where no memory is mapped"};
  }
  if (place.memory->multicast()) {
    return {nearness::inside,
            byte_of(address, place.mapping, place.mapped_bytes) + " of a multicast object" + at_address(place.mapping) +
                ", which only multimem instructions may access",
            place.mapping};
  }
  if (place.rights.writers != 0) return {nearness::inside};
  return {nearness::inside,
          byte_of(address, place.mapping, place.mapped_bytes) + " of mapped memory" + at_address(place.mapping) +
              (place.rights.readers != 0 ? ", which cuMemSetAccess made read-only"
                                         : ", which no call of cuMemSetAccess has made accessible"),
          place.mapping};
}

constexpr memory_owner reserved_owner{describe_reserved};

}  // namespace

address_space& address_space::instance() {
  static address_space* const all = [] {
    add_memory_owner(owner_kind::reserved_addresses, reserved_owner);
    return new address_space;
  }();
  return *all;
}

cudaError_t address_space::reserve(size_t bytes, size_t alignment, char* hint, char** base) {
  if (bytes == 0 || bytes % page_bytes() != 0) return cudaErrorInvalidValue;
  if (reinterpret_cast<uintptr_t>(hint) % page_bytes() != 0) return cudaErrorInvalidValue;
  if (alignment != 0 && !std::has_single_bit(alignment)) return cudaErrorInvalidValue;
  const std::lock_guard lock(mutex_);
  char* const first = addresses_.take(bytes, alignment, hint);
  if (!first) return cudaErrorMemoryAllocation;
  reservations_[first] = bytes;
  is_used_ = true;
  *base = first;
  return cudaSuccess;
}

// Whether reservations cover the range. Adjacent ones count as one: programs grow an array by reserving the addresses
// after it. pre: mutex_ is held
bool address_space::is_reserved(const char* first, size_t bytes) const {
  for (const char* const end = first + bytes; first < end;) {
    const auto at = entry_around(reservations_, first, size_of_reservation);
    if (at == reservations_.end()) return false;
    first = at->first + at->second;
  }
  return true;
}

// True if a part of the range is mapped. pre: mutex_ is held
bool address_space::is_mapped(const char* first, size_t bytes) const {
  const auto next = mappings_.lower_bound(const_cast<char*>(first));
  return (next != mappings_.end() && next->first < first + bytes) ||
         entry_around(mappings_, first, size_of_mapping) != mappings_.end();
}

cudaError_t address_space::free(char* base, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto known = reservations_.find(base);
  if (known == reservations_.end() || known->second != bytes) return cudaErrorInvalidValue;
  if (is_mapped(base, bytes)) return cudaErrorInvalidValue;
  reservations_.erase(known);
  addresses_.give_back(base, bytes);
  return cudaSuccess;
}

cudaError_t address_space::map(char* first, size_t bytes, const std::shared_ptr<physical_memory>& memory) {
  if (!is_granular(first, bytes) || bytes > memory->bytes()) return cudaErrorInvalidValue;
  const std::lock_guard lock(mutex_);
  if (!is_reserved(first, bytes) || is_mapped(first, bytes)) return cudaErrorInvalidValue;
  if (memory->multicast()) {  // its addresses stay inaccessible; copies and tools find no memory there
    mappings_[first] = {bytes, memory, {}};
    return cudaSuccess;
  }
  const void* const made =
      mmap(first, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->descriptor(), static_cast<off_t>(memory->offset()));
  if (made == MAP_FAILED) {
    map_nothing(first, bytes);  // a failed call may have removed a part of the reservation
    return cudaErrorMemoryAllocation;
  }
  madvise(first, bytes, MADV_HUGEPAGE);
  allocation entry;
  entry.base = first;
  entry.bytes = bytes;
  entry.kind = memory_kind::mapped;
  entry.device = memory->device();
  if (installed_operation_listener) installed_operation_listener->allocated(first, bytes, nullptr);
  allocation_table::instance().enter(entry);
  mappings_[first] = {bytes, memory, {}};
  return cudaSuccess;
}

// The first of the mappings that cover the range without a hole, if all of them lie within it. pre: mutex_ is held
address_space::mappings::iterator address_space::find_whole(char* first, size_t bytes) {
  const auto found = bytes > 0 ? mappings_.find(first) : mappings_.end();
  size_t covered = 0;
  for (auto at = found; covered < bytes; ++at) {
    if (at == mappings_.end() || at->first != first + covered) return mappings_.end();
    covered += at->second.bytes;
  }
  return covered == bytes ? found : mappings_.end();
}

cudaError_t address_space::unmap(char* first, size_t bytes) {
  std::vector<std::shared_ptr<physical_memory>> unmapped;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  auto at = find_whole(first, bytes);
  if (at == mappings_.end()) return cudaErrorInvalidValue;
  if (!map_nothing(first, bytes)) return cudaErrorMemoryAllocation;
  while (at != mappings_.end() && at->first < first + bytes) {
    if (!at->second.memory->multicast()) {
      if (installed_operation_listener) installed_operation_listener->freed(at->first, false, nullptr);
      allocation entry;
      allocation_table::instance().take(at->first, [](const allocation&) { return true; }, &entry);
    }
    unmapped.push_back(std::move(at->second.memory));
    at = mappings_.erase(at);
  }
  return cudaSuccess;
}

cudaError_t address_space::set_access(char* first, size_t bytes, std::span<const cudaMemAccessDesc> changes) {
  const std::lock_guard lock(mutex_);
  auto at = find_whole(first, bytes);
  if (at == mappings_.end()) return cudaErrorInvalidValue;
  for (; at != mappings_.end() && at->first < first + bytes; ++at) {
    access_rights rights = at->second.rights;
    for (const cudaMemAccessDesc& wanted : changes) rights.change(wanted);
    if (!at->second.memory->multicast() && mprotect(at->first, at->second.bytes, protection_of(rights)) != 0) {
      return cudaErrorMemoryAllocation;
    }
    at->second.rights = rights;
  }
  return cudaSuccess;
}

bool address_space::find(const void* address, reserved_place* found) const {
  if (!is_used_.load(std::memory_order_acquire)) return false;
  const char* const wanted = static_cast<const char*>(address);
  const std::lock_guard lock(mutex_);
  const auto around = entry_around(reservations_, wanted, size_of_reservation);
  if (around == reservations_.end()) return false;
  *found = {};
  found->base = around->first;
  found->bytes = around->second;
  const auto at = entry_around(mappings_, wanted, size_of_mapping);
  if (at == mappings_.end()) return true;
  found->memory = at->second.memory;
  found->mapping = at->first;
  found->mapped_bytes = at->second.bytes;
  found->rights = at->second.rights;
  return true;
}

char* address_space::find_mapping(const physical_memory& memory, size_t offset, size_t bytes) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [first, each] : mappings_) {
    if (each.memory.get() == &memory && each.rights.writers != 0 && offset + bytes <= each.bytes) return first + offset;
  }
  return nullptr;
}

bool address_space::permits(const void* first, size_t bytes, bool writes) const {
  const char* at = static_cast<const char*>(first);
  if (bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(at)) return false;
  const std::lock_guard lock(mutex_);
  for (const char* const end = at + bytes; at < end;) {
    const auto around = entry_around(mappings_, at, size_of_mapping);
    if (around == mappings_.end()) return false;
    const access_rights& rights = around->second.rights;
    if (around->second.memory->multicast()) return false;
    if ((writes ? rights.writers : rights.writers | rights.readers) == 0) return false;
    at = around->first + around->second.bytes;
  }
  return true;
}

}  // namespace cohort::runtime
