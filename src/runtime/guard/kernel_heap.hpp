// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap of malloc, free, new and delete in kernels. It uses the address range of device memory and keeps its
// bookkeeping elsewhere: a kernel that overruns its memory damages neither the host's heap nor this heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/guard/device_heap.hpp"

namespace cohort::runtime {

// Why memory cannot be freed, or what happened to it.
enum class heap_misuse : unsigned char {
  none,
  foreign,   // malloc in a kernel did not return the address
  inside,    // the address lies inside of an allocation
  freed,     // the memory was freed before
  overrun,   // bytes after the end were overwritten
  underrun,  // bytes before the start were overwritten
  used_after_free,
};

struct heap_finding {
  heap_misuse what = heap_misuse::none;
  memory_range memory;  // the allocation
  size_t distance = 0;  // distance of an outside byte from the nearest edge, of an inside byte from the start
};

class kernel_heap {
 public:
  explicit kernel_heap(device_heap& pages) : pages_(pages) {}

  // Allocates memory aligned to 16 bytes; null if there is no room.
  void* allocate(size_t bytes, int device);
  // Frees the memory, unless the finding says that the address cannot be freed.
  heap_finding release(void* memory);
  // Frees all memory of `device`.
  void release_all(int device);

  // Finds the first overwritten filler of `device` and repairs it. Finds none outside of strict mode.
  heap_finding find_damage(int device);
  // Finds the allocation at `address` or before it; false if `address` is in no slab. `live`: the allocation is not
  // freed.
  bool find_near(const void* address, memory_range* found, bool* live) const;
  // Whether `address` lies in a slab, without the page after it.
  bool holds(const void* address) const;

 private:
  enum class state : unsigned char { unused, live, freed };
  struct slot {
    size_t bytes = 0;
    int device = 0;
    kernel_heap::state state = state::unused;
  };
  // Slots of one size. A slot has filler bytes before and after the memory.
  struct slab {
    char* base = nullptr;
    size_t slot_bytes = 0;
    std::vector<slot> slots;
  };
  struct free_slot {
    slab* owner;
    size_t index;
  };
  using slabs = std::map<const char*, slab>;

  bool checks() const { return pages_.mode() != guard_mode::off; }
  static char* memory_of(const slab& s, size_t index);
  char* allocate_slot(slab& s, size_t index, size_t bytes, int device) const;
  slab* add_slab(size_t slab_bytes, size_t slot_bytes);
  slab* slab_of(const void* address);
  const slab* slab_of(const void* address) const { return const_cast<kernel_heap*>(this)->slab_of(address); }
  heap_finding inspect(const slab& s, size_t index) const;
  void free_slot_of(slab& s, size_t index);

  device_heap& pages_;
  mutable std::mutex mutex_;
  slabs slabs_;                                         // key: base
  std::map<size_t, std::deque<free_slot>> free_slots_;  // key: slot_bytes; the latest freed is last
};

// The heap of the process. Made at the first use and never destroyed.
kernel_heap& process_kernel_heap();

}  // namespace cohort::runtime
