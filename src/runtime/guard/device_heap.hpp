// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address range of all device, managed and pinned memory. Inaccessible pages surround allocations, so a kernel that
// overruns one reaches neither the host's data nor the engine's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/guard/freed_memory.hpp"
#include "runtime/ipc/shared_file.hpp"

namespace cohort::runtime {

constexpr size_t memory_alignment = 256;  // the alignment that cudaMalloc guarantees

// How allocations are guarded (COHORT_GUARD).
enum class guard_mode : unsigned char {
  off,     // allocations lie side by side
  page,    // an allocation has pages of its own, between inaccessible ones
  strict,  // an allocation ends at an inaccessible page, between filler bytes; freed memory stays inaccessible
};

class device_heap {
 public:
  // Reserves `reserved_bytes` of address space, or half of the limit of ulimit -v. After `most_spans` allocations with
  // pages of their own, further small ones share pages.
  device_heap(guard_mode mode, size_t reserved_bytes, size_t most_spans);
  device_heap(const device_heap&) = delete;
  ~device_heap();

  // Allocates memory aligned to memory_alignment; null if there is no room. pre: bytes > 0
  void* obtain(size_t bytes);
  // Frees memory. pre: `memory` was obtained with `bytes` and not released since
  void release(void* memory, size_t bytes);

  // Make an allocation with pages of its own inaccessible, and accessible again. Its contents stay.
  void hide(const memory_range& allocation);
  void reveal(const memory_range& allocation);
  // Returns the pages of an allocation to the system. Its address range stays reserved.
  void discard(const memory_range& allocation);

  // Moves the pages of an allocation, or its whole slab, to a file that other processes can open, unless they are in
  // one. Adds an entry for the allocation to the file, until the memory is released. Writes the file and the entry to
  // the handle `place`. False if the system refuses it. pre: no kernel or copy runs or begins
  bool share(const memory_range& memory, ipc_handle* place);
  // Maps the memory of an open file. Null if there is no room. pre: bytes > 0
  void* obtain_shared(int file, uint64_t offset, size_t bytes);
  // Makes the bytes beside memory of obtain_shared() red zones, as obtain() does. pre: the pages hold only this memory
  void mark_beside(const memory_range& memory);

  // In the child of a fork: gives the child a copy of each slab in a file, because parent and child allocate from it
  // independently.
  void begin_child();

  // The first filler byte beside the allocation that was overwritten, or null. Only strict mode has filler bytes.
  const char* find_damage(const memory_range& allocation) const;
  // Finds the recently released allocation `freed` that contains `address`; false if there is none, or its pages were
  // reused.
  bool find_freed(const void* address, memory_range* freed) const;

  // Whether the address lies in the range from which the heap allocates.
  bool reserves(const void* address) const {
    const auto distance = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(range_);
    return distance < range_pages_ * page_;
  }

  guard_mode mode() const { return mode_; }

 private:
  // Accessible pages: those of one allocation, or a slab of small ones.
  struct span {
    size_t pages = 0;
    bool is_slab = false;
    bool is_hidden = false;
    bool is_shared = false;  // the pages lie in a file
    int file = -1;           // open if this process has made the file
    process_id maker{};      // the process that made the file
  };
  using spans = std::map<size_t, span>;  // key: first page

  size_t page_of(const void* address) const {
    return static_cast<size_t>(static_cast<const char*>(address) - range_) / page_;
  }
  char* address_of(size_t page) const { return range_ + page * page_; }
  size_t pages_of(size_t bytes) const { return (bytes + page_ - 1) / page_; }

  size_t slot_bytes(size_t bytes) const;
  spans::const_iterator span_of(const void* address) const;
  spans::iterator span_of(const void* address);
  uint64_t entry_place(const span& owner, size_t first, const void* memory) const;

  void begin_span(size_t first, size_t pages, bool is_slab);
  char* map_span(size_t pages, size_t alignment, bool is_slab);
  char* reuse_warm(size_t pages, size_t alignment);
  void keep_warm(size_t first, size_t pages);
  void drop_warm(size_t most_pages);
  void unmap(size_t first, size_t pages);
  void give_back(size_t first, size_t pages);
  char* map_span_or_drop(size_t pages, size_t alignment);
  void* take_slot(size_t bytes);
  memory_range filled(const memory_range& allocation) const;
  void mark_around(const memory_range& allocation) const;
  void unmark_around(const memory_range& allocation) const;
  void drop_freed(size_t most, size_t most_pages);

  const guard_mode mode_;
  const size_t page_;
  const size_t most_spans_;
  char* range_ = nullptr;
  size_t range_pages_ = 0;
  mutable std::mutex mutex_;
  std::map<size_t, size_t> free_pages_;  // first page -> number of pages
  spans spans_;
  std::map<size_t, std::vector<char*>> free_slots_;  // free slots of slabs; key: bytes of a slot
  freed_memory freed_;
  std::deque<std::pair<size_t, size_t>> warm_;  // released spans that keep their contents: first page, number of pages
  size_t warm_pages_ = 0;
};

// Set by a tool that finds accesses to freed memory: an allocation's own pages stay inaccessible after its end, as in
// strict mode.
inline bool keeps_freed_memory = false;

// The heap of the process, with the guard that COHORT_GUARD names. Made at the first use and never destroyed.
device_heap& process_heap();

}  // namespace cohort::runtime
