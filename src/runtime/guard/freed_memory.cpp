// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/guard/freed_memory.hpp"

#include <iterator>

namespace cohort::runtime {

void freed_memory::add(const freed_span& freed) {
  by_page_[freed.first_page] = by_age_.insert(by_age_.end(), freed);
  if (freed.is_kept) pages_kept_ += freed.pages;
}

void freed_memory::remove(std::map<size_t, entry>::iterator at) {
  if (at->second->is_kept) pages_kept_ -= at->second->pages;
  by_age_.erase(at->second);
  by_page_.erase(at);
}

void freed_memory::forget(size_t first, size_t pages) {
  auto at = by_page_.lower_bound(first);
  if (at != by_page_.begin()) {
    const auto before = std::prev(at);
    if (before->first + before->second->pages > first) at = before;
  }
  while (at != by_page_.end() && at->first < first + pages) remove(at++);
}

freed_span freed_memory::take_oldest() {
  const freed_span oldest = by_age_.front();
  remove(by_page_.find(oldest.first_page));
  return oldest;
}

const freed_span* freed_memory::find(const void* address, size_t page) const {
  const auto after = by_page_.upper_bound(page);
  if (after == by_page_.begin()) return nullptr;
  const freed_span& freed = *std::prev(after)->second;
  return freed.allocation.contains(address) ? &freed : nullptr;
}

}  // namespace cohort::runtime
