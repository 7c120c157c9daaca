// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/guard/kernel_heap.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include <cohort/base/round_up.hpp>

#include "runtime/guard/filler.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t alignment = 16;  // CUDA's alignment of malloc in kernels
constexpr size_t before = 16;     // filler bytes before the memory, a multiple of `alignment`
constexpr size_t least_behind = 16;
constexpr size_t most_behind = 256;
constexpr size_t slab_bytes = size_t{256} << 10;
constexpr size_t largest_shared_slot = size_t{64} << 10;

// Slot sizes: multiples of 32 bytes up to 256, then four for each power of two. Memory above largest_shared_slot has a
// slab of its own.
size_t slot_bytes_for(size_t bytes) {
  const size_t needed = before + bytes + least_behind;
  if (needed > largest_shared_slot) return detail::round_up(needed, memory_alignment);
  return detail::round_up(needed, std::max<size_t>(32, std::bit_floor(needed) / 4));
}

}  // namespace

char* kernel_heap::memory_of(const slab& s, size_t index) { return s.base + index * s.slot_bytes + before; }

char* kernel_heap::allocate_slot(slab& s, size_t index, size_t bytes, int device) const {
  char* const memory = memory_of(s, index);
  s.slots[index] = {bytes, device, state::live};
  if (checks()) {
    fill_bytes(memory - before, memory);
    fill_bytes(memory + bytes, memory + std::min(s.slot_bytes - before, bytes + most_behind));
  }
  return memory;
}

kernel_heap::slab* kernel_heap::add_slab(size_t bytes, size_t slot_bytes) {
  char* const base = static_cast<char*>(pages_.obtain(bytes));
  if (!base) return nullptr;
  slab& made = slabs_[base];
  made = {base, slot_bytes, std::vector<slot>(bytes / slot_bytes)};
  return &made;
}

void* kernel_heap::allocate(size_t bytes, int device) {
  if (bytes > SIZE_MAX / 2) return nullptr;
  const size_t needed = slot_bytes_for(bytes);
  const std::lock_guard lock(mutex_);
  if (needed > largest_shared_slot) {
    slab* const own = add_slab(needed, needed);
    return own ? allocate_slot(*own, 0, bytes, device) : nullptr;
  }
  std::deque<free_slot>& available = free_slots_[needed];
  if (available.empty()) {
    slab* const more = add_slab(slab_bytes, needed);
    if (!more) return nullptr;
    for (size_t i = more->slots.size(); i-- > 0;) available.push_back({more, i});
  }
  // Strict mode reuses freed memory as late as possible, so accesses after a free are found.
  const bool oldest = pages_.mode() == guard_mode::strict;
  const free_slot taken = oldest ? available.front() : available.back();
  oldest ? available.pop_front() : available.pop_back();
  return allocate_slot(*taken.owner, taken.index, bytes, device);
}

// The slab that contains the address; null if there is none. pre: mutex_ is held
kernel_heap::slab* kernel_heap::slab_of(const void* address) {
  const auto behind = slabs_.upper_bound(static_cast<const char*>(address));
  if (behind == slabs_.begin()) return nullptr;
  slab& s = std::prev(behind)->second;
  return static_cast<const char*>(address) < s.base + s.slots.size() * s.slot_bytes ? &s : nullptr;
}

// Checks the filler bytes of a slot that was used. pre: mutex_ is held
heap_finding kernel_heap::inspect(const slab& s, size_t index) const {
  const slot& inspected = s.slots[index];
  char* const memory = memory_of(s, index);
  heap_finding finding{heap_misuse::none, {memory, inspected.bytes}, 0};
  if (!checks() || inspected.state == state::unused) return finding;
  const char* const end = memory + inspected.bytes;
  const size_t behind = std::min(s.slot_bytes - before, inspected.bytes + most_behind) - inspected.bytes;
  if (const char* const at = find_changed_byte(end, end + behind)) {
    finding.what = heap_misuse::overrun;
    finding.distance = static_cast<size_t>(at - end);
  } else if (const char* const earlier = find_changed_byte(memory - before, memory)) {
    finding.what = heap_misuse::underrun;
    finding.distance = static_cast<size_t>(memory - earlier);
  } else if (inspected.state == state::freed && pages_.mode() == guard_mode::strict) {
    if (const char* const inside = find_changed_byte(memory, end)) {
      finding.what = heap_misuse::used_after_free;
      finding.distance = static_cast<size_t>(inside - memory);
    }
  }
  return finding;
}

// Frees the slot for later allocations, or its slab if the slab has no other slot. pre: mutex_ is held
void kernel_heap::free_slot_of(slab& s, size_t index) {
  if (s.slot_bytes > largest_shared_slot) {
    char* const base = s.base;
    const size_t bytes = s.slot_bytes;
    slabs_.erase(base);
    pages_.release(base, bytes);
    return;
  }
  s.slots[index].state = state::freed;
  char* const memory = memory_of(s, index);
  if (pages_.mode() == guard_mode::strict) fill_bytes(memory, memory + s.slots[index].bytes);
  free_slots_[s.slot_bytes].push_back({&s, index});
}

heap_finding kernel_heap::release(void* memory) {
  const std::lock_guard lock(mutex_);
  slab* const s = slab_of(memory);
  heap_finding finding{heap_misuse::foreign, {static_cast<char*>(memory), 0}, 0};
  if (!s) {
    memory_range gone;
    if (!pages_.find_freed(memory, &gone)) return finding;
    return {heap_misuse::freed, gone, 0};
  }
  const size_t index = static_cast<size_t>(static_cast<char*>(memory) - s->base) / s->slot_bytes;
  const slot& owner = s->slots[index];
  if (owner.state == state::unused) return finding;
  finding = inspect(*s, index);
  if (memory != memory_of(*s, index)) {
    finding.what = heap_misuse::inside;
    finding.distance = static_cast<size_t>(static_cast<char*>(memory) - (s->base + index * s->slot_bytes)) - before;
  } else if (owner.state == state::freed) {
    finding.what = heap_misuse::freed;
  } else {
    free_slot_of(*s, index);
  }
  return finding;
}

void kernel_heap::release_all(int device) {
  const std::lock_guard lock(mutex_);
  for (auto at = slabs_.begin(); at != slabs_.end();) {
    slab& s = at->second;
    ++at;  // before a release, which may erase a slab of one slot
    for (size_t i = 0, count = s.slots.size(); i < count; ++i) {
      if (s.slots[i].state == state::live && s.slots[i].device == device) {
        allocate_slot(s, i, s.slots[i].bytes, device);  // writes the slot's filler bytes again
        free_slot_of(s, i);
      }
    }
  }
}

heap_finding kernel_heap::find_damage(int device) {
  if (pages_.mode() != guard_mode::strict) return {};
  const std::lock_guard lock(mutex_);
  for (auto& [base, s] : slabs_) {
    for (size_t i = 0; i < s.slots.size(); ++i) {
      if (s.slots[i].device != device) continue;
      const heap_finding finding = inspect(s, i);
      if (finding.what == heap_misuse::none) continue;
      const state kept = s.slots[i].state;
      char* const memory = allocate_slot(s, i, s.slots[i].bytes, device);
      s.slots[i].state = kept;
      if (kept == state::freed) fill_bytes(memory, memory + s.slots[i].bytes);
      return finding;
    }
  }
  return {};
}

bool kernel_heap::find_near(const void* address, memory_range* found, bool* live) const {
  const std::lock_guard lock(mutex_);
  // An address in the inaccessible page after a slab belongs to its last slot.
  const auto behind = slabs_.upper_bound(static_cast<const char*>(address));
  if (behind == slabs_.begin()) return false;
  const slab& s = std::prev(behind)->second;
  const size_t offset = static_cast<size_t>(static_cast<const char*>(address) - s.base);
  if (offset >= s.slots.size() * s.slot_bytes + slab_bytes) return false;
  const size_t index = std::min(offset / s.slot_bytes, s.slots.size() - 1);
  *found = {memory_of(s, index), s.slots[index].bytes};
  *live = s.slots[index].state == state::live;
  return s.slots[index].state != state::unused;
}

bool kernel_heap::holds(const void* address) const {
  const std::lock_guard lock(mutex_);
  return slab_of(address) != nullptr;
}

kernel_heap& process_kernel_heap() {
  static kernel_heap& made = *new kernel_heap(process_heap());
  return made;
}

}  // namespace cohort::runtime
