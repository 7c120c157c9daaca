// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/history/history.hpp"

#include <array>
#include <memory>

namespace cohort::check {

namespace {

using listed_ids = std::array<access_id, history::most_listed>;

constexpr uint16_t set_of(access_kind kind) { return static_cast<uint16_t>(1u << static_cast<unsigned>(kind)); }
template <class... Kinds>
constexpr uint16_t set_of(access_kind first, Kinds... others) {
  return static_cast<uint16_t>(set_of(first) | set_of(others...));
}

// For each kind of access: the kinds of earlier, ordered accesses that it may replace in a slot.
constexpr uint16_t replaced_by[] = {
    0xffff,                                                           // plain_write
    set_of(access_kind::atomic_write, access_kind::atomic_read),      // atomic_write
    set_of(access_kind::block_write),                                 // block_write
    set_of(access_kind::volatile_write, access_kind::volatile_read),  // volatile_write
    set_of(access_kind::plain_read, access_kind::atomic_read, access_kind::volatile_read,
           access_kind::read_after_wait),  // plain_read
    0,                                     // async_read
    set_of(access_kind::atomic_read),      // atomic_read
    set_of(access_kind::volatile_read),    // volatile_read
    set_of(access_kind::read_after_wait),  // read_after_wait
};

listed_ids ids_in(const record& list) {
  return {list.launch,
          list.block,
          list.tick,
          list.outer,
          static_cast<access_id>(list.place),
          static_cast<access_id>(list.place >> 32)};
}

// Returns the id of a record that lists the accesses. Words of one array often have equal lists, so the latest are
// cached.
access_id listed(const listed_ids& ids) {
  static thread_local uint32_t latest[64];
  uint64_t hash = 0;
  for (const access_id id : ids) hash = (hash ^ id) * 0x9e3779b97f4a7c15u;
  uint32_t& number = latest[hash >> 58];
  record known;
  if (record_ring::instance().read(number, &known) && known.extent == several_accesses && ids_in(known) == ids) {
    return make_id(number, top_node);
  }
  record& r = record_ring::instance().take(&number);
  r.launch = ids[0];
  r.block = ids[1];
  r.tick = ids[2];
  r.outer = ids[3];
  r.first_thread = 0;
  r.extent = several_accesses;
  r.flags = 0xff;  // no access has these flags
  r.place = ids[4] | uint64_t{ids[5]} << 32;
  record_ring::publish(r, number);
  return make_id(number, top_node);
}

}  // namespace

access_kind kind_of(uint8_t flags) {
  const bool writes = flags & is_write;
  if (flags & is_strong) {
    if (!writes) return access_kind::atomic_read;
    return scope_of(flags) == scope::block ? access_kind::block_write : access_kind::atomic_write;
  }
  if (flags & is_volatile) return writes ? access_kind::volatile_write : access_kind::volatile_read;
  if (writes) return access_kind::plain_write;
  if (flags & is_async_copy) return access_kind::async_read;
  return is_by_async_proxy(flags) ? access_kind::read_after_wait : access_kind::plain_read;
}

bool replaces(uint8_t now, uint8_t old) {
  // The record of an atomic of block scope must stay: it races with more accesses than an atomic of a wider scope.
  if ((now & old & is_strong) && scope_of(old) == scope::block && scope_of(now) != scope::block) return false;
  return replaced_by[static_cast<unsigned>(kind_of(now))] & set_of(kind_of(old));
}

history::history(uint64_t slot_value) : first_write_(write_of(slot_value)) {
  add(first_write_);
  const access_id reads = reads_of(slot_value);
  add(reads & ~more_mark);
  if (!has_more(reads) || size_ == 0 || by(size_ - 1).extent != several_accesses) return;
  const listed_ids ids = ids_in(by(--size_));
  for (const access_id id : ids) add(id);
}

void history::add(access_id id) {
  if (id == 0) return;
  entry& added = *std::construct_at(&entries_[size_]);
  added.id = id;
  if (record_ring::instance().read(number_of(id), &added.by)) ++size_;
}

bool history::needs_list(bool one_more_writes) const {
  uint32_t writes = one_more_writes, reads = !one_more_writes;
  for (uint32_t i = 0; i < size_; ++i) {
    if (!is_dropped(i)) ++(is_a_write(i) ? writes : reads);
  }
  return writes + reads > 2 || reads > 1;
}

bool history::is_only_write(uint32_t i) const {
  uint32_t writes = 0;
  for (uint32_t other = 0; other < size_; ++other) writes += is_a_write(other) && !is_dropped(other);
  return is_a_write(i) && writes == 1;
}

uint64_t history::with(access_id now, bool writes) const {
  access_id write = 0;
  listed_ids others = {};
  uint32_t count = 0;
  bool is_write_listed = false;
  const auto put = [&](access_id id, bool is_write_too) {
    if (is_write_too && !write) {
      write = id;
    } else if (count < most_listed) {  // the oldest ones are left out
      others[count++] = id;
      is_write_listed = is_write_listed || is_write_too;
    }
  };
  uint32_t first = 0;
  while (first < size_ && (is_dropped(first) || !is_a_write(first))) ++first;
  if (first < size_) write = id(first);
  put(now, writes);
  for (uint32_t i = 0; i < size_; ++i) {
    if (i != first && !is_dropped(i)) put(id(i), is_a_write(i));
  }
  if (!write) write = first_write_;  // its record was replaced, but the word stays a written one
  if (count < 2) return slot_value(write, others[0] | (is_write_listed ? more_mark : 0));
  return slot_value(write, listed(others) | more_mark);
}

}  // namespace cohort::check
