// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/memory/record.hpp"

#include <algorithm>
#include <bit>

#include "check/memory/pages.hpp"
#include "check/memory/shadow.hpp"

namespace cohort::check {

namespace {

bool is_expired(access_id id) {
  return id && record_at(number_of(id)).number.load(std::memory_order_relaxed) != number_of(id);
}

void expire_records_of(slot& at) {
  uint64_t seen = at.load(std::memory_order_relaxed);
  for (;;) {
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (seen == 0 || write == split_mark) return;
    // A written word must not become an unwritten one.
    const uint64_t next = slot_value(is_expired(write) ? expired_write : write, is_expired(reads) ? 0 : reads);
    if (next == seen || at.compare_exchange_weak(seen, next, std::memory_order_acq_rel)) return;
  }
}

}  // namespace

record_ring& record_ring::instance() {
  static record_ring* const ring = new record_ring;
  return *ring;
}

std::atomic<uint32_t> record_mask{record_ring::fewest_slots - 1};

record* const record_slots = [] {
  auto* const slots = static_cast<record*>(lazy_pages(sizeof(record) * record_ring::most_slots));
  slots[0].number = ~0u;  // no record is kept there, and no number is equal
  return slots;
}();

record& record_ring::take(uint32_t* number) {
  uint32_t fresh = next_.fetch_add(1, std::memory_order_relaxed) & last_number;
  while ((fresh & record_mask.load(std::memory_order_relaxed)) == 0) {
    begin_turn(fresh);
    fresh = next_.fetch_add(1, std::memory_order_relaxed) & last_number;
  }
  const uint32_t mask = record_mask.load(std::memory_order_relaxed);
  record& r = record_slots[fresh & mask];
  __builtin_prefetch(&record_slots[(fresh + 8) & mask], 1);  // the ring is larger than caches
  r.number.store(0, std::memory_order_release);
  *number = fresh;
  return r;
}

// Grows the ring and expires old numbers. Called by the thread that has drawn the first number of a turn of the ring.
void record_ring::begin_turn(uint32_t number) {
  const uint32_t slots = record_mask.load(std::memory_order_relaxed) + 1;
  // Keeps programs with little memory small: records take no more memory than the shadow does.
  const auto wanted = static_cast<uint32_t>(
      std::clamp<size_t>(std::bit_floor(bytes_of_shadow() / sizeof(record)), fewest_slots, most_slots));
  // Growing the ring adds bits to the mask. Existing records keep their slots if these bits are zero in their numbers.
  if (wanted > slots && ((number - slots) & (wanted - 1)) == 0) {
    record_mask.store(wanted - 1, std::memory_order_relaxed);
  }
  // Numbers are reused: no slot may hold an old one when it is given out again.
  if (number % (last_number / 2 + 1) == 0) for_each_slot(expire_records_of);
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
