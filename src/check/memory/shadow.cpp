// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/memory/shadow.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "check/memory/pages.hpp"

namespace cohort::check {

namespace {

constexpr size_t region_count = size_t{1} << (address_bits - region_bits);
constexpr size_t slots_of_region = size_t{1} << (region_bits - 2);
constexpr uint32_t most_split_words = 1u << 24;

std::mutex mutex;
__thread bool is_locked __attribute__((tls_model("initial-exec"))) = false;  // the calling thread holds `mutex`

struct lock_guard {
  lock_guard() {
    mutex.lock();
    is_locked = true;
  }
  lock_guard(const lock_guard&) = delete;
  ~lock_guard() {
    is_locked = false;
    mutex.unlock();
  }
};

uint32_t split_words = 0;  // the largest number in use; numbers begin with 1
auto& regions_in_use = *new std::vector<slot*>;
auto& spans = *new std::unordered_map<uintptr_t, slot*>;  // the slots of each span; key: its number
auto& free_words = *new std::vector<uint32_t>;            // numbers of released split words, for reuse

uint32_t take_split_word() {
  const lock_guard lock;
  if (!free_words.empty()) {
    const uint32_t number = free_words.back();
    free_words.pop_back();
    return number;
  }
  return split_words + 1 < most_split_words ? ++split_words : 0;
}

void give_split_word(uint32_t number) {
  for (uint32_t byte = 0; byte < 4; ++byte) split_slots[size_t{number} * 4 + byte].store(0);
  const lock_guard lock;
  free_words.push_back(number);
}

}  // namespace

std::atomic<uint32_t> memory_changes{0};

slot* const split_slots = static_cast<slot*>(lazy_pages(size_t{most_split_words} * 4 * sizeof(slot)));

std::atomic<slot*>* const shadow_regions =
    static_cast<std::atomic<slot*>*>(lazy_pages(region_count * sizeof(std::atomic<slot*>)));

slot* add_region(uintptr_t address) {
  const lock_guard lock;
  std::atomic<slot*>& region = region_of(shadow_regions, address);
  if (!region.load()) {
    slot*& span = spans[address >> span_bits];
    if (!span) span = static_cast<slot*>(lazy_pages((sizeof(slot) << span_bits) / 4));
    regions_in_use.push_back(span + ((address & ((uintptr_t{1} << span_bits) - 1)) >> region_bits) * slots_of_region);
    region.store(regions_in_use.back());
  }
  return region.load();
}

void clip_to_slots(uintptr_t at, uintptr_t* first, uintptr_t* end) {
  constexpr uintptr_t region = uintptr_t{1} << region_bits, span = uintptr_t{1} << span_bits;
  const uintptr_t begin_of_span = at & ~(span - 1), low = std::max(*first, begin_of_span),
                  high = std::min(*end, begin_of_span + span);
  const auto has_slots = [](uintptr_t address) { return region_of(shadow_regions, address).load() != nullptr; };
  uintptr_t begin = at & ~(region - 1), stop = begin + region;
  while (begin > low && has_slots(begin - region)) begin -= region;
  while (stop < high && has_slots(stop)) stop += region;
  *first = std::max(low, begin);
  *end = std::min(high, stop);
}

size_t bytes_of_shadow() {
  const lock_guard lock;
  return regions_in_use.size() * slots_of_region * sizeof(slot);
}

void for_each_slot(void (*use)(slot& at)) {
  std::vector<slot*> regions;
  size_t words = 0;
  {
    const lock_guard lock;
    regions = regions_in_use;
    words = split_words;
  }
  for (slot* const region : regions) std::for_each(region, region + slots_of_region, use);
  std::for_each(split_slots + 4, split_slots + (words + 1) * 4, use);
}

slot* byte_slots(slot& word) {
  for (uint64_t value = word.load(std::memory_order_acquire);;) {
    if (write_of(value) == split_mark) return &split_slots[size_t{reads_of(value)} * 4];
    const uint32_t number = take_split_word();
    if (number == 0) return nullptr;
    slot* const bytes = &split_slots[size_t{number} * 4];
    for (int i = 0; i < 4; ++i) bytes[i].store(value, std::memory_order_relaxed);
    if (word.compare_exchange_strong(value, slot_value(split_mark, number), std::memory_order_acq_rel)) return bytes;
    give_split_word(number);
  }
}

void clear_allocated(const void* first, size_t bytes) {
  if (!is_locked) clear_range(first, bytes);
}

void clear_range(const void* first, size_t bytes) {
  uintptr_t at = reinterpret_cast<uintptr_t>(first) / 4 * 4;
  const uintptr_t end = reinterpret_cast<uintptr_t>(first) + bytes;
  while (at < end) {
    const uintptr_t region_end = ((at >> region_bits) + 1) << region_bits;
    const uintptr_t stop = std::min(end, region_end);
    slot* const slots = shadow_regions[at >> region_bits].load(std::memory_order_acquire);
    if (slots) {
      slot* const begin = &slots[(at & ((uintptr_t{1} << region_bits) - 1)) >> 2];
      const size_t count = (stop - at + 3) / 4;
      if (split_words != 0) {
        for (size_t i = 0; i < count; ++i) {
          const uint64_t value = begin[i].load(std::memory_order_relaxed);
          if (write_of(value) == split_mark) give_split_word(reads_of(value));
        }
      }
      clear_pages(begin, count * sizeof(slot));
    }
    at = region_end;
  }
}

}  // namespace cohort::check
