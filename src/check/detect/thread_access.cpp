// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/thread_access.hpp"

#include <algorithm>
#include <vector>

#include "check/detect/bounds.hpp"
#include "check/detect/operation_access.hpp"
#include "check/detect/strong.hpp"
#include "check/history/history.hpp"
#include "check/memory/allocations.hpp"
#include "check/memory/shadow.hpp"
#include "check/order/copies_in_flight.hpp"
#include "check/order/happens_before.hpp"
#include "check/order/launches.hpp"
#include "check/report/findings.hpp"
#include "check/sync/constants.hpp"

namespace cohort::check {

namespace {

// Whether the scope of each of two atomics includes the thread of the other.
inline bool scopes_reach(const record& a, uint8_t flags, const accessor& c) {
  if ((scope_of(a.flags) != scope::block && scope_of(flags) != scope::block) || (a.flags & by_operation)) return true;
  return a.launch == c.block->launch->number && a.block == c.block->rank && a.extent <= threads_of_block;
}

class checked_slot {
 public:
  checked_slot(const accessor& c, const access& now)
      : c_(c), now_(now), completes_(now.flags & completes_copy), is_own_shared_(c.block->is_own_shared(now.address)) {
    now_.flags &= static_cast<uint8_t>(~completes_copy);
  }

  // `is_read_still`: another asynchronous copy reads the memory of the slot, whose reads stay when this one ends.
  void check(slot& at, bool is_read_still = false) {
    is_read_still_ = is_read_still;
    uint64_t seen = at.load(std::memory_order_acquire);
    for (;;) {
      const uint64_t next = after(seen);
      if (next == seen) return;
      if (!c_.block->launch->many_workers && !operations_overlap.load(std::memory_order_relaxed)) {
        at.store(next, std::memory_order_relaxed);
        return;
      }
      if (at.compare_exchange_strong(seen, next, std::memory_order_acq_rel)) return;
    }
  }

 private:
  access_id own_id() {
    if (!own_) {
      const uint32_t number =
          c_.block->record_number(now_.place, c_.warp() * lanes_per_warp, threads_of_warp, now_.flags);
      own_ = make_id(number, lanes_per_warp + c_.lane());
    }
    return own_;
  }

  uint64_t after(uint64_t seen) {
    const bool writes = now_.flags & is_write;
    if (writes ? seen == slot_value(own_id(), 0) : reads_of(seen) == own_id()) return seen;
    history all(seen);
    access_id next = own_id();
    bool has_raced = false;
    for (uint32_t i = 0; i < all.size(); ++i) {
      const record& old = all.by(i);
      const bool ordered = happens_before(old, node_of(all.id(i)), c_);
      if (!ordered && !completes_) report(all.id(i), old);
      const bool is_same_kind = kind_of(old.flags) == kind_of(now_.flags);
      if (may_replace(old, ordered) || is_past_in_shared(old)) {
        all.drop(i);
      } else if (kind_of(now_.flags) == access_kind::plain_write) {
        // Drops an earlier access at the same place. Of the writes at other places only the earliest stays, because
        // more threads may race with it.
        if (old.address() == now_.code() || (is_same_kind && has_raced)) all.drop(i);
        has_raced = has_raced || is_same_kind;
      } else if (!ordered && is_same_kind && next == own_id() && common_extent(old, c_) <= threads_of_grid) {
        next = merged(all.id(i), old);
        all.drop(i);
      }
    }
    if (all.needs_list(writes)) drop_past(all);
    return all.with(next, writes);
  }

  // Reports a race with `old`, unless both accesses read or the pair is race-free.
  void report(access_id id, const record& old) {
    if (!((old.flags | now_.flags) & is_write)) return;
    const bool meets = is_race_free_pair(old.flags, now_.flags, now_.address);
    if (meets && scopes_reach(old, now_.flags, c_)) return;
    if (id != reported_) add_race(old, node_of(id), c_, now_);
    reported_ = id;  // an access of several words is reported once
  }

  bool may_replace(const record& old, bool ordered) const {
    // The end of an asynchronous copy takes the place of its start.
    if (completes_ && kind_of(old.flags) == access_kind::async_read) return !is_read_still_;
    return ordered && replaces(now_.flags, old.flags);
  }

  // Whether the record happens before all later accesses of its memory, which no other block reaches.
  bool is_past_in_shared(const record& old) const { return is_own_shared_ && happens_before_block(old, *c_.block); }

  void drop_past(history& all) const {
    for (uint32_t i = 0; i < all.size(); ++i) {
      if (!all.is_dropped(i) && !all.is_only_write(i) && is_past(all.by(i), *c_.block)) all.drop(i);
    }
  }

  // Returns an access_id for the accesses of `old` and for this one, which are not ordered.
  access_id merged(access_id id, const record& old) {
    block_clock& b = *c_.block;
    uint8_t flags = now_.flags;
    if (!both_strong(old.flags, flags)) flags &= static_cast<uint8_t>(~is_strong);
    if (scope_of(old.flags) < scope_of(flags)) {
      flags = static_cast<uint8_t>((flags & ~flags_of(scope{3})) | flags_of(scope_of(old.flags)));
    }
    const uint8_t extent = common_extent(old, c_);
    if (extent == threads_of_warp) {
      const uint32_t node = common_node(node_of(id), lanes_per_warp + c_.lane());
      if (old.tick == b.tick && node == node_of(id) && old.flags == flags) return id;
      return make_id(b.record_number(now_.place, c_.warp() * lanes_per_warp, threads_of_warp, flags), node);
    }
    if (old.extent == extent && old.tick == b.tick && old.block == b.rank && old.flags == flags) return id;
    if (extent >= threads_of_cluster && old.extent == extent && old.outer == b.outer && old.flags == flags) return id;
    const uint32_t first = extent < threads_of_cluster ? first_of(c_.thread, extent) : 0;
    return make_id(b.record_number(now_.place, first, extent, flags), top_node);
  }

  const accessor c_;
  access now_;
  const bool completes_;
  const bool is_own_shared_;
  access_id own_ = 0;
  access_id reported_ = 0;
  bool is_read_still_ = false;
};

// Whether a copy or fill began or ended within the word of `parts` at `first`: it wrote some of its bytes, and the byte
// beside the word. Padding between a structure's members is no such case.
bool is_partly_written(const slot* parts, uintptr_t first) {
  const auto write_at = [&](int byte) { return write_of(parts[byte].load(std::memory_order_relaxed)); };
  const bool ends_here = write_at(0) != 0;  // the copy wrote byte 0, so it may end in the word; else it may begin in it
  const access_id written = write_at(ends_here ? 0 : 3);
  record by;
  if ((write_at(0) && write_at(3)) || !written || !record_ring::instance().read(number_of(written), &by)) return false;
  slot& beside = slot_of(ends_here ? first - 4 : first + 4);
  const access_id other = write_of(beside.load(std::memory_order_relaxed));
  if (other == split_mark) return write_of(byte_slots(beside)[ends_here ? 3 : 0].load()) == written;
  return (by.flags & by_operation) && other == written;
}

}  // namespace

void check_access_of(const accessor& c, const void* address, size_t bytes, uint8_t flags, const void* place) {
  uintptr_t at = reinterpret_cast<uintptr_t>(address);
  const uintptr_t end = at + bytes;
  const uint64_t packed =
      reinterpret_cast<uint64_t>(place) | uint64_t{static_cast<uint8_t>(std::min<size_t>(bytes, 255))} << 56;
  if ((flags & is_strong) && (flags & is_volatile)) polled.add(at);
  if (flags & is_async_copy) {  // no barrier orders asynchronous copies
    c.block->has_async_copies = true;
    c.block->own_records_ordered_below = 0;
  }
  const access now{at, packed, flags, bytes};
  // The memory of an asynchronous copy was checked when the copy started.
  const bool checks_this = checks_memory && !(flags & completes_copy), reads = checks_this && !(flags & is_write);
  if (checks_this && !is_allocated(at, bytes)) check_bounds(c, now);
  if ((flags & is_write) && !(flags & completes_copy)) check_constant(c, now);
  bool unwritten = reads, in_part = false;
  checked_slot check(c, now);
  std::vector<source_range> still_read;
  if (flags & completes_copy) still_read = copies_in_flight::instance().reads_in(at, end);
  const auto is_read_still = [&](uintptr_t from) {
    return std::any_of(still_read.begin(), still_read.end(),
                       [=](const source_range& each) { return each.first <= from && from < each.end; });
  };
  while (at < end) {
    slot& word = slot_of(at);
    const uintptr_t word_end = (at | 3) + 1;
    const bool full = (at & 3) == 0 && end >= word_end;
    const access_id write = write_of(word.load(std::memory_order_relaxed));
    if (full && write != split_mark) {
      unwritten = unwritten && write == 0;
      check.check(word, is_read_still(at));
    } else if (slot* const parts = byte_slots(word)) {
      for (uintptr_t byte = at; byte < std::min(end, word_end); ++byte) {
        unwritten = unwritten && write_of(parts[byte & 3].load(std::memory_order_relaxed)) == 0;
        check.check(parts[byte & 3], is_read_still(byte));
      }
      in_part = in_part || (reads && full && is_partly_written(parts, at));
    } else {
      unwritten = false;
    }
    at = word_end;
  }
  if (unwritten || in_part) note_unwritten(c, now, in_part);
}

void check_written(const accessor& c, const void* address, size_t bytes, const void* place) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (!checks_memory || write_of(slot_of(at).load(std::memory_order_relaxed)) != 0) return;
  note_unwritten(c, {at, reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56, 0, bytes});
}

void acquire_from_host(const accessor& c, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (!flags_of_host.may_contain(at)) return;
  const uint64_t word = slot_of(at).load(std::memory_order_acquire);
  if (write_of(word) == split_mark) return;
  const history all(word);
  for (uint32_t i = 0; i < all.size(); ++i) {
    const uint8_t flags = all.by(i).flags;
    if ((flags & is_write) && (flags & by_operation) && (flags & (is_strong | is_volatile))) {
      acquire_host(*c.block->launch->operation, all.by(i).launch);
    }
  }
}

void check_access(const void* address, size_t bytes, uint8_t flags, const void* place) {
  const accessor c = current_accessor(address);
  if (c.block) {
    check_access_of(c, address, bytes, flags, place);
  } else if (!cohort_current_thread) {
    check_host_access(address, bytes, flags, place);
  }
}

}  // namespace cohort::check
