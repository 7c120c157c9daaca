// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow memory: a slot of 8 bytes for each aligned word of 4 bytes holds the accesses that a later one may race with
// (history/history.hpp). Mostly these are a write and the reads since. A word of which threads access single bytes has
// four slots of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "check/memory/access.hpp"
#include "check/memory/pages.hpp"

namespace cohort::check {

// A slot has a write in the lower half and the reads in the upper one. With more_mark the upper half stands for another
// write, or for several accesses.
using slot = std::atomic<uint64_t>;
inline access_id write_of(uint64_t value) { return static_cast<access_id>(value); }
inline access_id reads_of(uint64_t value) { return static_cast<access_id>(value >> 32); }
inline uint64_t slot_value(access_id write, access_id reads) { return uint64_t{reads} << 32 | write; }
constexpr access_id more_mark = 1u << node_bits;
inline bool has_more(access_id reads) { return reads & more_mark; }

// The lower half of a slot whose word has slots for its bytes; the upper half is their number.
constexpr access_id split_mark = ~0u;

constexpr unsigned region_bits = 21;  // a region of 2 MiB has 4 MiB of slots
// The slots of the regions in a span of 256 MiB are neighbours in memory.
constexpr unsigned span_bits = 28;

// The slots of each region; null: nothing in the region was accessed.
extern std::atomic<slot*>* const shadow_regions;
slot* add_region(uintptr_t address);

// The entry of the region around `address` in the table `regions`.
inline std::atomic<slot*>& region_of(std::atomic<slot*>* regions, uintptr_t address) {
  return regions[(address & ((uintptr_t{1} << address_bits) - 1)) >> region_bits];
}
inline size_t index_of_slot(uintptr_t address) { return (address & ((uintptr_t{1} << region_bits) - 1)) >> 2; }

// The slot of the word that holds `address`.
inline slot& slot_of(uintptr_t address) {
  slot* slots = region_of(shadow_regions, address).load(std::memory_order_acquire);
  if (__builtin_expect(!slots, 0)) slots = add_region(address);
  return slots[index_of_slot(address)];
}

// The addresses around `at` whose regions have slots, within first .. end - 1 and the span of `at`. The slots of all of
// them are one array. pre: slot_of(at) was called
void clip_to_slots(uintptr_t at, uintptr_t* first, uintptr_t* end);

// Loads the slot of the word into the cache. The word need not exist.
inline void prefetch_slot(uintptr_t address) {
  const slot* const slots = region_of(shadow_regions, address).load(std::memory_order_relaxed);
  if (slots) __builtin_prefetch(&slots[index_of_slot(address)], 1);
}

// Four slots for each split word, indexed by the number in the upper half of its slot.
extern slot* const split_slots;

// Returns the slots of the four bytes of a word, which it splits if needed. Null: no number is left for another split
// word.
slot* byte_slots(slot& word);
// Counts the allocations that were made or freed. A cached fact about a range is valid until this number changes.
extern std::atomic<uint32_t> memory_changes;

// The size of the shadow memory of all regions that were accessed.
size_t bytes_of_shadow();
// Calls `use` for every slot of the regions in use. Other threads may change slots meanwhile.
void for_each_slot(void (*use)(slot& at));

// Removes all accesses to the range.
void clear_range(const void* first, size_t bytes);
// clear_range() for new memory. Does nothing for memory that this file itself allocates.
void clear_allocated(const void* first, size_t bytes);

}  // namespace cohort::check
