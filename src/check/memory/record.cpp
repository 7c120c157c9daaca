// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record.hpp"

#include <new>

#include "pages.hpp"

namespace cohort::check {

record_ring& record_ring::instance() {
  static record_ring* const ring = new record_ring;
  return *ring;
}

record* const record_slots = static_cast<record*>(lazy_pages(sizeof(record) * record_ring::slots));

record& record_ring::take(uint32_t* number) {
  uint32_t fresh = next_.fetch_add(1, std::memory_order_relaxed) & last_number;
  if (fresh == 0) fresh = next_.fetch_add(1, std::memory_order_relaxed) & last_number;
  record& r = record_slots[fresh % slots];
  __builtin_prefetch(&record_slots[(fresh + 8) % slots], 1);  // the ring is larger than caches
  r.number.store(0, std::memory_order_release);
  *number = fresh;
  return r;
}

bool record_ring::read(uint32_t number, record* copy) const {
  const record& r = record_at(number);
  if (r.number.load(std::memory_order_acquire) != number) return false;
  copy->launch = r.launch;
  copy->block = r.block;
  copy->tick = r.tick;
  copy->outer = r.outer;
  copy->first_thread = r.first_thread;
  copy->extent = r.extent;
  copy->flags = r.flags;
  copy->place = r.place;
  std::atomic_thread_fence(std::memory_order_acquire);
  return r.number.load(std::memory_order_relaxed) == number;
}

}  // namespace cohort::check
