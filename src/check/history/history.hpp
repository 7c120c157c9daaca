// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses to a word that a later one may still race with. An access may replace an earlier one only if the earlier
// one happens before it, and if it races with every access that the earlier one races with. An atomic update may
// replace an atomic, but no plain write: other atomics race only with the plain write.
#pragma once

#include <cstdint>

#include "check/memory/record.hpp"
#include "check/memory/shadow.hpp"

namespace cohort::check {

enum class access_kind : uint8_t {
  plain_write,
  atomic_write,
  block_write,  // an atomic of block scope
  volatile_write,
  plain_read,
  async_read,   // a read of memcpy_async: only a wait for the copy orders it
  atomic_read,  // also a volatile load that a loop polls
  volatile_read,
  read_after_wait,  // a read by a product that another warp has waited for: a bulk copy may follow without order
};
access_kind kind_of(uint8_t flags);

// Whether an access with the flags `now` may replace an ordered, earlier one with the flags `old`.
bool replaces(uint8_t now, uint8_t old);

class history {
 public:
  static constexpr uint32_t most_listed = 6, most = most_listed + 2;

  explicit history(uint64_t slot_value);
  history(const history&) = delete;
  ~history() {}  // NOLINT(modernize-use-equals-default): entries need no destructor

  uint32_t size() const { return size_; }
  access_id id(uint32_t i) const { return entries_[i].id; }
  const record& by(uint32_t i) const { return entries_[i].by; }
  void drop(uint32_t i) { dropped_ |= 1u << i; }
  bool is_dropped(uint32_t i) const { return dropped_ >> i & 1; }
  bool is_only_write(uint32_t i) const;
  // Whether the accesses that were not dropped, and one more, are too many for a slot.
  bool needs_list(bool one_more_writes) const;
  // The slot's value for `now` and the accesses that were not dropped.
  uint64_t with(access_id now, bool writes) const;

 private:
  void add(access_id id);
  bool is_a_write(uint32_t i) const { return by(i).flags & is_write; }

  access_id first_write_;  // the slot's lower half
  uint32_t size_ = 0, dropped_ = 0;
  struct entry {
    access_id id = 0;
    record by;
  };
  // A union, so that entries are constructed only when they are added: most words have one or two.
  union {
    entry entries_[most];
  };
};

}  // namespace cohort::check
