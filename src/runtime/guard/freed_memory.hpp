// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recently released allocations, for reports.
#pragma once

#include <cstddef>
#include <list>
#include <map>

namespace cohort::runtime {

// The bytes of an allocation, which may have been released.
struct memory_range {
  char* base = nullptr;
  size_t bytes = 0;

  bool contains(const void* address) const {
    const char* const at = static_cast<const char*>(address);
    return at >= base && at < base + bytes;
  }
};

// An allocation that was released, and its own pages.
struct freed_span {
  memory_range allocation;
  size_t first_page = 0;
  size_t pages = 0;
  bool is_kept = false;  // the pages are not reused yet
};

class freed_memory {
 public:
  void add(const freed_span& freed);
  // Removes the entries with pages in [first, first + pages), which are reused.
  void forget(size_t first, size_t pages);
  // Removes the oldest entry and returns it. pre: not empty
  freed_span take_oldest();

  // The entry whose allocation contains `address`, or null. `page` is the page of `address`.
  const freed_span* find(const void* address, size_t page) const;
  size_t count() const { return by_age_.size(); }
  size_t pages_kept() const { return pages_kept_; }

 private:
  using entry = std::list<freed_span>::iterator;
  void remove(std::map<size_t, entry>::iterator at);

  std::list<freed_span> by_age_;     // oldest first
  std::map<size_t, entry> by_page_;  // key: first page; the ranges do not overlap
  size_t pages_kept_ = 0;
};

}  // namespace cohort::runtime
