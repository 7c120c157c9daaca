// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/operation_access.hpp"

#include <algorithm>
#include <atomic>

#include "check/detect/bounds.hpp"
#include "check/detect/strong.hpp"
#include "check/history/history.hpp"
#include "check/memory/shadow.hpp"
#include "check/order/accessor.hpp"
#include "check/order/flags.hpp"
#include "check/order/happens_before.hpp"
#include "check/report/findings.hpp"

namespace cohort::check {

thread_local followed_operation* executed_operation = nullptr;
std::atomic<uint32_t> running_launches{0};
std::atomic<bool> operations_overlap{false};

namespace {

// The smallest range of addresses that holds all added ranges.
class address_range {
 public:
  void extend(const void* first, size_t bytes) {
    const auto begin = reinterpret_cast<uintptr_t>(first);
    for (uintptr_t now = lowest_.load(); begin < now && !lowest_.compare_exchange_weak(now, begin);) {
    }
    for (uintptr_t now = highest_.load(); begin + bytes > now && !highest_.compare_exchange_weak(now, begin + bytes);) {
    }
  }
  bool contains(const void* address) const {
    const auto at = reinterpret_cast<uintptr_t>(address);
    return at >= lowest_.load(std::memory_order_relaxed) && at < highest_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<uintptr_t> lowest_{~uintptr_t{0}}, highest_{0};
};

address_range allocations, managed_variables;

class operation_check {
 public:
  // Prepares the check of an access by the operation `op`; null: by the host.
  operation_check(const followed_operation* op, uint32_t number, access_id own, uint8_t flags, uint64_t place)
      : op_(op), number_(number), own_(own), now_{0, place, flags} {}

  void check(uintptr_t address, slot& at) {
    now_.address = address;
    uint64_t seen = at.load(std::memory_order_acquire);
    for (;;) {
      const uint64_t next = after(seen);
      if (next == seen || at.compare_exchange_strong(seen, next, std::memory_order_acq_rel)) return;
    }
  }

 private:
  uint64_t after(uint64_t seen) {
    // Most words of a range have the same history, so the latest result serves them, too.
    if (seen == seen_ && !raced_) return next_;
    raced_ = false;
    seen_ = seen;
    const bool writes = now_.flags & is_write;
    history all(seen);
    for (uint32_t i = 0; i < all.size(); ++i) {
      const record& old = all.by(i);
      const bool ordered = all.id(i) == own_ || old.launch == number_ || comes_before(old.launch, op_) ||
                           (op_ && flags_order(old, node_of(all.id(i)), op_->launched_after));
      if (!ordered) compare(all.id(i), old);
      if ((ordered || kind_of(now_.flags) == access_kind::plain_write) && replaces(now_.flags, old.flags)) all.drop(i);
    }
    if (all.needs_list(writes)) drop_past(all);
    return next_ = all.with(own_, writes);
  }

  void drop_past(history& all) const {
    for (uint32_t i = 0; i < all.size(); ++i) {
      const uint32_t number = all.by(i).launch;
      if (all.is_dropped(i) || all.is_only_write(i) || (number != number_ && !comes_before(number, op_))) continue;
      if (is_past(number, op_)) all.drop(i);
    }
  }

  // Reports a race with the record, unless both accesses read or the pair is race-free. pre: the two are not ordered
  void compare(access_id id, const record& found) {
    if (!((found.flags | now_.flags) & is_write)) return;
    if (is_race_free_pair(found.flags, now_.flags, now_.address)) {
      // A kernel's release has no number on the host: an access to its flag orders the whole launch before the host.
      if (!op_ && (found.flags & is_write)) host_acquires(found.launch);
      return;
    }
    raced_ = true;
    if (id == reported_) return;
    reported_ = id;
    add_race(found, node_of(id), number_, now_);
  }

  const followed_operation* op_;
  const uint32_t number_;
  const access_id own_;
  access now_;
  uint64_t seen_ = ~uint64_t{0}, next_ = 0;  // no slot has this value
  access_id reported_ = 0;
  bool raced_ = false;
};

void check_range(operation_check& check, const void* first, size_t bytes) {
  if (running_launches.load() != 0) note_overlap();
  uintptr_t at = reinterpret_cast<uintptr_t>(first);
  const uintptr_t end = at + bytes;
  while (at < end) {
    slot& word = slot_of(at);
    const uintptr_t word_end = (at | 3) + 1;
    if ((at & 3) == 0 && end >= word_end && write_of(word.load(std::memory_order_relaxed)) != split_mark) {
      check.check(at, word);
    } else if (slot* const parts = byte_slots(word)) {
      for (uintptr_t byte = at; byte < std::min(end, word_end); ++byte) check.check(byte, parts[byte & 3]);
    }
    at = word_end;
  }
}

access_id new_id(uint32_t number, uint8_t flags, uint64_t place) {
  uint32_t record_number = 0;
  record& r = record_ring::instance().take(&record_number);
  r.launch = number;
  r.block = r.tick = r.outer = 0;
  r.first_thread = 0;
  r.extent = 0;
  r.flags = flags;
  r.place = place;
  record_ring::publish(r, record_number);
  return make_id(record_number, top_node);
}

struct recent_record {
  uint64_t place;
  access_id id;
  uint32_t number;
  uint8_t flags;
};

// Host code accesses arrays in loops: each place has one record until the host submits work.
access_id id_of_host(uint32_t number, uint8_t flags, uint64_t place) {
  static thread_local recent_record recent[64];
  recent_record& r = recent[place * 0x9e3779b97f4a7c15u >> 58];
  if (r.place != place || r.number != number || r.flags != flags) {
    r = {place, new_id(number, flags, place), number, flags};
  }
  return r.id;
}

}  // namespace

void check_operation_access(const followed_operation& op, const void* first, size_t bytes, uint8_t flags) {
  flags |= by_operation;
  const auto place = reinterpret_cast<uint64_t>(op.site);
  operation_check check(&op, op.number, new_id(op.number, flags, place), flags, place);
  check_range(check, first, bytes);
}

void note_overlap() {
  if (!operations_overlap.exchange(true)) memory_changes.fetch_add(1);  // cached facts depend on operations_overlap
}

void note_allocation(const void* first, size_t bytes) { allocations.extend(first, bytes); }
void note_variable(const void* first, size_t bytes) { managed_variables.extend(first, bytes); }

void check_host_access(const void* address, size_t bytes, uint8_t flags, const void* place) {
  if (!allocations.contains(address) && !managed_variables.contains(address)) return;
  if (checks_memory) check_device_memory_of_host(address, bytes, flags, place);
  flags |= by_operation;
  const uint64_t packed = reinterpret_cast<uint64_t>(place) | uint64_t{std::min<size_t>(bytes, 255)} << 56;
  const followed_operation* const op = executed_operation;
  if ((flags & is_strong) && (flags & is_volatile)) polled.add(reinterpret_cast<uintptr_t>(address));
  if ((flags & is_write) && (flags & (is_strong | is_volatile))) {
    flags_of_host.add(reinterpret_cast<uintptr_t>(address));
  }
  const uint32_t number = op ? op->number : host_epoch();
  operation_check check(op, number, id_of_host(number, flags, packed), flags, packed);
  check_range(check, address, bytes);
}

}  // namespace cohort::check
