// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/guard/device_heap.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <cohort/base/red_zone.hpp>
#include <cohort/base/round_up.hpp>

#include "runtime/guard/filler.hpp"
#include "runtime/guard/shared_pages.hpp"

namespace cohort::runtime {

namespace {

// Large allocations lie on the boundaries of huge pages: with 4 KiB pages, a sum over a large array spends much of its
// time on address translation.
constexpr size_t huge_page = size_t{2} << 20;
constexpr size_t small_slab_bytes = size_t{1} << 20;
constexpr size_t largest_slot = size_t{64} << 10;
constexpr size_t most_margin = size_t{1} << 30;

// Released memory that keeps its pages for the next allocation of its size: the first write to a page costs 2 us.
constexpr size_t most_warm_bytes = size_t{64} << 20;
constexpr size_t most_warm_spans = 256;

// Freed memory that stays inaccessible in strict mode, and freed allocations that reports can name in any mode.
constexpr size_t most_bytes_kept = size_t{256} << 20;
constexpr size_t most_freed = 1024;

// Bytes of address space that the process may still map.
size_t free_address_space(size_t page) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  size_t mapped_pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu", &mapped_pages) != 1) mapped_pages = 0;
    std::fclose(file);
  }
  const size_t most = static_cast<size_t>(limit.rlim_cur);
  return most - std::min(most, mapped_pages * page);
}

}  // namespace

device_heap::device_heap(guard_mode mode, size_t reserved_bytes, size_t most_spans)
    : mode_(mode), page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))), most_spans_(most_spans) {
  // The program needs the other half: its malloc and the threads' stacks map memory too.
  const size_t most = free_address_space(page_) / 2 / huge_page * huge_page;
  for (size_t bytes = std::min(reserved_bytes, most); bytes >= huge_page; bytes = bytes / 2 / huge_page * huge_page) {
    void* const made = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) continue;
    range_ = static_cast<char*>(made);
    range_pages_ = bytes / page_;
    // Both ends stay inaccessible: an index that is far off reaches no other data of the process.
    const size_t margin = std::min(most_margin, bytes / 8) / page_;
    free_pages_[margin] = range_pages_ - 2 * margin;
    return;
  }
}

device_heap::~device_heap() {
  for (const auto& [first, pages] : spans_) detail::end_red_zone(address_of(first), address_of(first + pages.pages));
  if (range_) munmap(range_, range_pages_ * page_);
}

// Slots grow by 256 bytes up to a page, then by pages.
size_t device_heap::slot_bytes(size_t bytes) const {
  return detail::round_up(bytes, bytes <= page_ ? memory_alignment : page_);
}

// The span that contains `address`, or spans_.end(). pre: mutex_ is held
device_heap::spans::const_iterator device_heap::span_of(const void* address) const {
  const size_t page = page_of(address);
  const auto after = spans_.upper_bound(page);
  if (after == spans_.begin()) return spans_.end();
  const auto found = std::prev(after);
  return page < found->first + found->second.pages ? found : spans_.end();
}

device_heap::spans::iterator device_heap::span_of(const void* address) {
  const spans::const_iterator found = std::as_const(*this).span_of(address);
  return found == spans_.end() ? spans_.end() : spans_.find(found->first);
}

// Records a new span of pages. pre: mutex_ is held
void device_heap::begin_span(size_t first, size_t pages, bool is_slab) {
  spans_[first] = {.pages = pages, .is_slab = is_slab};
  freed_.forget(first, pages);
}

// The whole pages that hold an allocation. In strict mode, filler bytes occupy their rest.
memory_range device_heap::filled(const memory_range& allocation) const {
  char* const first = address_of(page_of(allocation.base));
  char* const end = address_of(page_of(allocation.base + allocation.bytes - 1) + 1);
  return {first, static_cast<size_t>(end - first)};
}

// Maps accessible pages with an inaccessible page after them; null if there is no room. pre: mutex_ is held
char* device_heap::map_span(size_t pages, size_t alignment, bool is_slab) {
  const size_t gap = mode_ == guard_mode::off ? 0 : 1;
  for (auto at = free_pages_.begin(); at != free_pages_.end(); ++at) {
    const auto [first, available] = *at;
    const size_t skipped = detail::round_up(reinterpret_cast<uintptr_t>(address_of(first)), alignment) -
                           reinterpret_cast<uintptr_t>(address_of(first));
    const size_t begin = first + skipped / page_;
    if (available < begin - first + pages + gap) continue;
    if (mprotect(address_of(begin), pages * page_, PROT_READ | PROT_WRITE) != 0) return nullptr;
    free_pages_.erase(at);
    if (begin > first) free_pages_[first] = begin - first;
    const size_t end = begin + pages + gap;
    if (end < first + available) free_pages_[end] = first + available - end;
    begin_span(begin, pages, is_slab);
    return address_of(begin);
  }
  return nullptr;
}

// Drops the pages by a new mapping, which joins its inaccessible neighbours; mprotect may fail to join them. If the
// system refuses it, the pages keep their contents until the next use. pre: mutex_ is held
void device_heap::unmap(size_t first, size_t pages) {
  static_cast<void>(mmap(address_of(first), pages * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
}

// Returns a released span of this size, accessible again, or null. pre: mutex_ is held
char* device_heap::reuse_warm(size_t pages, size_t alignment) {
  const auto fits = [&](const std::pair<size_t, size_t>& warm) {
    return warm.second == pages && reinterpret_cast<uintptr_t>(address_of(warm.first)) % alignment == 0;
  };
  const auto found = std::find_if(warm_.rbegin(), warm_.rend(), fits);
  if (found == warm_.rend()) return nullptr;
  char* const base = address_of(found->first);
  if (mprotect(base, pages * page_, PROT_READ | PROT_WRITE) != 0) return nullptr;
  begin_span(found->first, pages, false);
  warm_pages_ -= pages;
  warm_.erase(std::prev(found.base()));
  return base;
}

// Makes a released span inaccessible and keeps its pages for the next allocation of its size. pre: mutex_ is held
void device_heap::keep_warm(size_t first, size_t pages) {
  mprotect(address_of(first), pages * page_, PROT_NONE);
  warm_.emplace_back(first, pages);
  warm_pages_ += pages;
  drop_warm(most_warm_bytes / page_);
}

// Gives back the oldest warm spans until at most `most_pages` are left. pre: mutex_ is held
void device_heap::drop_warm(size_t most_pages) {
  while (warm_pages_ > most_pages || warm_.size() > most_warm_spans) {
    const auto [first, pages] = warm_.front();
    unmap(first, pages);
    give_back(first, pages);
    warm_pages_ -= pages;
    warm_.pop_front();
  }
}

// Makes the pages free for later spans. pre: mutex_ is held
void device_heap::give_back(size_t first, size_t pages) {
  pages += mode_ == guard_mode::off ? 0 : 1;
  const auto after = free_pages_.lower_bound(first);
  if (after != free_pages_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == first) {
      first = before->first;
      pages += before->second;
      free_pages_.erase(before);
    }
  }
  if (after != free_pages_.end() && first + pages == after->first) {
    pages += after->second;
    free_pages_.erase(after);
  }
  free_pages_[first] = pages;
}

// Takes a slot of a slab for a small allocation. pre: mutex_ is held
void* device_heap::take_slot(size_t bytes) {
  std::vector<char*>& slots = free_slots_[bytes];
  if (slots.empty()) {
    char* const slab = map_span(small_slab_bytes / page_, page_, true);
    if (!slab) return nullptr;
    detail::make_red_zone(slab, slab + small_slab_bytes);
    const size_t count = small_slab_bytes / bytes;
    slots.reserve(count);
    for (size_t i = count; i-- > 0;) slots.push_back(slab + i * bytes);
  }
  char* const slot = slots.back();
  slots.pop_back();
  return slot;
}

// map_span() that gives back warm and freed pages if no other pages are free. pre: mutex_ is held
char* device_heap::map_span_or_drop(size_t pages, size_t alignment) {
  if (char* const first = map_span(pages, alignment, false)) return first;
  drop_warm(0);
  drop_freed(0, 0);
  return map_span(pages, alignment, false);
}

void* device_heap::obtain(size_t bytes) {
  if (!range_ || bytes > range_pages_ * page_) return nullptr;
  std::lock_guard lock(mutex_);
  const bool shares_pages = bytes <= largest_slot && (mode_ == guard_mode::off || spans_.size() >= most_spans_);
  if (shares_pages) {
    char* const slot = static_cast<char*>(take_slot(slot_bytes(bytes)));
    if (slot) detail::end_red_zone(slot, slot + bytes);
    return slot;
  }
  const size_t pages = pages_of(detail::round_up(bytes, memory_alignment));
  const size_t alignment = bytes >= huge_page ? huge_page : page_;
  char* first = reuse_warm(pages, alignment);
  if (!first) {
    first = map_span_or_drop(pages, alignment);
    if (!first) return nullptr;
    if (bytes >= huge_page) madvise(first, pages * page_, MADV_HUGEPAGE);
  }
  const bool is_last = mode_ == guard_mode::strict;
  char* const base = is_last ? first + pages * page_ - detail::round_up(bytes, memory_alignment) : first;
  mark_around({base, bytes});
  return base;
}

// Makes the rest of an allocation's pages a red zone. In strict mode they are filled before.
void device_heap::mark_around(const memory_range& allocation) const {
  const memory_range surrounding = filled(allocation);
  char* const end = allocation.base + allocation.bytes;
  unmark_around(allocation);
  if (mode_ == guard_mode::strict) {
    fill_bytes(surrounding.base, allocation.base);
    fill_bytes(end, surrounding.base + surrounding.bytes);
  }
  detail::make_red_zone(surrounding.base, allocation.base);
  detail::make_red_zone(end, surrounding.base + surrounding.bytes);
}

void device_heap::unmark_around(const memory_range& allocation) const {
  const memory_range surrounding = filled(allocation);
  detail::end_red_zone(surrounding.base, allocation.base);
  detail::end_red_zone(allocation.base + allocation.bytes, surrounding.base + surrounding.bytes);
}

void device_heap::hide(const memory_range& allocation) {
  std::lock_guard lock(mutex_);
  const auto owner = span_of(allocation.base);
  if (owner->second.is_slab) return;
  owner->second.is_hidden = true;
  mprotect(address_of(owner->first), owner->second.pages * page_, PROT_NONE);
}

void device_heap::reveal(const memory_range& allocation) {
  std::lock_guard lock(mutex_);
  const auto owner = span_of(allocation.base);
  if (owner->second.is_slab) return;
  owner->second.is_hidden = false;
  mprotect(address_of(owner->first), owner->second.pages * page_, PROT_READ | PROT_WRITE);
  mark_around(allocation);
}

void device_heap::discard(const memory_range& allocation) {
  std::lock_guard lock(mutex_);
  const auto owner = span_of(allocation.base);
  if (!owner->second.is_slab) madvise(address_of(owner->first), owner->second.pages * page_, MADV_DONTNEED);
}

// Removes the oldest freed allocations, so that their pages can be reused. pre: mutex_ is held
void device_heap::drop_freed(size_t most, size_t most_pages) {
  while (freed_.count() > most || freed_.pages_kept() > most_pages) {
    const freed_span oldest = freed_.take_oldest();
    if (oldest.is_kept) give_back(oldest.first_page, oldest.pages);
  }
}

void device_heap::release(void* memory, size_t bytes) {
  std::lock_guard lock(mutex_);
  char* const base = static_cast<char*>(memory);
  const auto owner = span_of(base);
  const bool has_entry = owner->second.file >= 0 && owner->second.maker == this_process();
  if (has_entry) write_entry(owner->second.file, entry_place(owner->second, owner->first, memory), {});
  if (owner->second.is_slab) {
    free_slots_[slot_bytes(bytes)].push_back(base);
    detail::make_red_zone(base, base + slot_bytes(bytes));
    return;
  }
  unmark_around({base, bytes});
  const size_t first = owner->first;
  const size_t pages = owner->second.pages;
  const bool is_shared = owner->second.is_shared;
  if (owner->second.file >= 0) close(owner->second.file);
  spans_.erase(owner);
  const bool is_kept = mode_ == guard_mode::strict || keeps_freed_memory;
  if (!is_kept && !is_shared && pages <= most_warm_bytes / page_ / 4) {
    keep_warm(first, pages);
  } else {
    unmap(first, pages);
    if (!is_kept) give_back(first, pages);
  }
  freed_.add({{base, bytes}, first, pages, is_kept});
  drop_freed(most_freed, most_bytes_kept / page_);
}

// Offset of the memory's entry in the shared file. A slab's file begins with one entry for each slot, any other file
// with a single entry.
uint64_t device_heap::entry_place(const span& owner, size_t first, const void* memory) const {
  if (!owner.is_slab) return 0;
  const auto slot = static_cast<size_t>(static_cast<const char*>(memory) - address_of(first)) / memory_alignment;
  return slot * sizeof(ipc_entry);
}

bool device_heap::share(const memory_range& memory, ipc_handle* place) {
  std::lock_guard lock(mutex_);
  const auto owner = span_of(memory.base);
  if (owner == spans_.end()) return false;
  span& pages = owner->second;
  const size_t entries = pages.is_slab ? small_slab_bytes / memory_alignment : 1;
  const size_t header = pages_of(entries * sizeof(ipc_entry)) * page_;
  char* const first = address_of(owner->first);
  if (!pages.is_shared) {
    // Ends the red zones, because the system reads all of the pages. The heap does not store the lengths of a slab's
    // allocations, so existing allocations get no new red zones.
    pages.is_slab ? detail::end_red_zone(first, first + small_slab_bytes) : unmark_around(memory);
    const int file = move_to_file(first, pages.pages * page_, header);
    if (!pages.is_slab) mark_around(memory);
    if (file < 0) return false;
    pages.is_shared = true;
    pages.file = file;
    pages.maker = this_process();
  }
  if (pages.file < 0) return false;  // another process has made the file
  place->file = pages.file;
  place->entry_place = entry_place(pages, owner->first, memory.base);
  if (read_entry(pages.file, place->entry_place, &place->entry) && !place->entry.key.empty()) return true;
  place->entry = {random_key(), header + static_cast<uint64_t>(memory.base - first), memory.bytes};
  return write_entry(pages.file, place->entry_place, place->entry);
}

void device_heap::begin_child() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;  // a thread of the parent changed the heap: the child cannot use it
  for (auto& [first, pages] : spans_) {
    if (!pages.is_slab || !pages.is_shared) continue;
    detail::end_red_zone(address_of(first), address_of(first + pages.pages));
    if (!copy_from_file(address_of(first), pages.pages * page_)) continue;
    close(pages.file);
    pages.file = -1;
    pages.is_shared = false;
  }
}

void* device_heap::obtain_shared(int file, uint64_t offset, size_t bytes) {
  if (!range_ || bytes > range_pages_ * page_) return nullptr;
  std::lock_guard lock(mutex_);
  const size_t before = offset % page_;
  const size_t pages = pages_of(before + bytes);
  char* const first = map_span_or_drop(pages, bytes >= huge_page ? huge_page : page_);
  if (!first) return nullptr;
  const auto made = span_of(first);
  if (map_file(first, pages * page_, file, offset - before)) {
    made->second.is_shared = true;
    return first + before;
  }
  const size_t index = made->first;
  spans_.erase(made);
  unmap(index, pages);
  give_back(index, pages);
  return nullptr;
}

void device_heap::mark_beside(const memory_range& memory) { mark_around(memory); }

const char* device_heap::find_damage(const memory_range& allocation) const {
  if (mode_ != guard_mode::strict) return nullptr;
  std::lock_guard lock(mutex_);  // no span is hidden or made accessible during the comparison
  const auto owner = span_of(allocation.base);
  if (owner == spans_.end() || owner->second.is_slab || owner->second.is_hidden) return nullptr;
  const memory_range surrounding = filled(allocation);
  const char* const behind =
      find_changed_byte(allocation.base + allocation.bytes, surrounding.base + surrounding.bytes);
  return behind ? behind : find_changed_byte(surrounding.base, allocation.base);
}

bool device_heap::find_freed(const void* address, memory_range* freed) const {
  const char* const at = static_cast<const char*>(address);
  if (at < range_ || at >= range_ + range_pages_ * page_) return false;
  std::lock_guard lock(mutex_);
  const freed_span* const found = freed_.find(address, page_of(address));
  if (found) *freed = found->allocation;
  return found != nullptr;
}

}  // namespace cohort::runtime
