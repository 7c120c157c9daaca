// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access.hpp"

#include <algorithm>

#include "../engine/state/running.hpp"
#include "../engine/state/worker.hpp"
#include "listener.hpp"
#include "memory/allocations.hpp"
#include "memory/chosen.hpp"
#include "memory/shadow.hpp"
#include "memory_check.hpp"
#include "operation_access.hpp"
#include "order/launches.hpp"
#include "report/findings.hpp"
#include "stream_listener.hpp"
#include "strong.hpp"
#include "sync/constants.hpp"

namespace cohort::check {

namespace {

// In this file, which every instrumented program links.
__attribute__((constructor)) void begin_checking() {
  follow_engine();
  follow_runtime();
}

// Whether each of two atomics is made for all threads of a group that holds both.
inline bool scopes_reach(const record& a, uint8_t flags, const accessor& c) {
  if ((scope_of(a.flags) != scope::block && scope_of(flags) != scope::block) || (a.flags & by_operation)) return true;
  return a.launch == c.block->launch->number && a.block == c.block->rank && a.extent <= threads_of_block;
}

class checked_slot {
 public:
  checked_slot(const accessor& c, const access& now) : c_(c), now_(now), completes_(now.flags & completes_copy) {
    now_.flags &= static_cast<uint8_t>(~completes_copy);
  }

  void check(slot& at) {
    uint64_t seen = at.load(std::memory_order_acquire);
    for (;;) {
      const uint64_t next = (now_.flags & is_write) ? after_write(seen) : after_read(seen);
      if (next == seen) return;
      if (!c_.block->launch->many_workers && !operations_meet.load(std::memory_order_relaxed)) {
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

  // Whether the access of `id` is ordered before this one, or must not be. Races are reported once.
  bool compare(access_id id, record* found, bool* known) {
    // The start of an asynchronous copy was compared, and its end only replaces the records.
    *known = id && !completes_ && record_ring::instance().read(number_of(id), found);
    if (!*known) return true;
    if (is_ordered(*found, node_of(id), c_)) return true;
    const bool meets = may_meet(found->flags, now_.flags, now_.address);
    if (!meets || !scopes_reach(*found, now_.flags, c_)) {
      if (((found->flags | now_.flags) & is_write) && id != reported_) add_race(*found, node_of(id), c_, now_);
      reported_ = id;  // an access of several words races once
    }
    return false;
  }

  uint64_t after_write(uint64_t seen) {
    record old;
    bool known = false;
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (write == own_id()) return slot_value(write, 0) == seen ? seen : check_reads(write, reads);
    const bool ordered = compare(write, &old, &known);
    access_id next = own_id();
    // Atomics that are not ordered with each other stay in the slot together.
    if (!ordered && both_strong(old.flags, now_.flags)) next = merged(write, old);
    return check_reads(next, reads);
  }

  uint64_t check_reads(access_id write, access_id reads) {
    record old;
    bool known = false;
    if (reads) compare(reads, &old, &known);
    return slot_value(write, 0);
  }

  uint64_t after_read(uint64_t seen) {
    record old;
    bool known = false;
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (reads == own_id()) return seen;
    if (write) compare(write, &old, &known);
    if (!reads || !record_ring::instance().read(number_of(reads), &old) || is_ordered(old, node_of(reads), c_)) {
      return slot_value(write, own_id());
    }
    return slot_value(write, merged(reads, old));
  }

  // An identity for the accesses of `old` and for this one, which are not ordered.
  access_id merged(access_id id, const record& old) {
    block_clock& b = *c_.block;
    uint8_t flags = now_.flags;
    if (!both_strong(old.flags, flags)) flags &= static_cast<uint8_t>(~is_strong);
    if (scope_of(old.flags) < scope_of(flags)) {
      flags = static_cast<uint8_t>((flags & ~flags_of(scope{3})) | flags_of(scope_of(old.flags)));
    }
    const uint8_t extent = common_extent(old, c_);
    if (extent > threads_of_grid) return own_id();
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
  access_id own_ = 0;
  access_id reported_ = 0;
};

// Whether a copy or fill ended inside of the word of `parts` at `first`: it wrote some of its bytes, and the byte
// beside the word. A structure's padding between members of one word is no such case.
bool is_written_in_part(const slot* parts, uintptr_t first) {
  const auto write_at = [&](int byte) { return write_of(parts[byte].load(std::memory_order_relaxed)); };
  const bool ends_here = write_at(0) != 0;  // or it begins here
  const access_id written = write_at(ends_here ? 0 : 3);
  record by;
  if ((write_at(0) && write_at(3)) || !written || !record_ring::instance().read(number_of(written), &by)) return false;
  slot& beside = slot_of(ends_here ? first - 4 : first + 4);
  const access_id other = write_of(beside.load(std::memory_order_relaxed));
  if (other == split_mark) return write_of(byte_slots(beside)[ends_here ? 3 : 0].load()) == written;
  return (by.flags & by_operation) && other == written;
}

}  // namespace

const bool checks_memory = is_chosen(check_kind::memory);

__thread running_block last_block __attribute__((tls_model("initial-exec"))) = {};

block_clock* enter_block(const engine::block& b) {
  block_clock* clock = &clock_of(b);
  if (clock->rank != static_cast<uint32_t>(b.rank)) {  // the block before it ended without an event
    forget_block(b);
    clock = &clock_of(b);
  }
  last_block = {&b, clock, launch_ends.load(std::memory_order_acquire), clock->rank};
  return clock;
}

void check_access_of(const accessor& c, const void* address, size_t bytes, uint8_t flags, const void* place) {
  uintptr_t at = reinterpret_cast<uintptr_t>(address);
  const uintptr_t end = at + bytes;
  const uint64_t packed =
      reinterpret_cast<uint64_t>(place) | uint64_t{static_cast<uint8_t>(std::min<size_t>(bytes, 255))} << 56;
  if ((flags & is_strong) && (flags & is_volatile)) polled.add(at);
  const access now{at, packed, flags, bytes};
  // The start of an asynchronous copy was checked.
  const bool checks_this = checks_memory && !(flags & completes_copy), reads = checks_this && !(flags & is_write);
  if (checks_this && !is_allocated(at, bytes)) check_bounds(c, now);
  if ((flags & is_write) && !(flags & completes_copy)) check_constant(c, now);
  bool unwritten = reads, in_part = false;
  checked_slot check(c, now);
  while (at < end) {
    slot& word = slot_of(at);
    const uintptr_t word_end = (at | 3) + 1;
    const bool full = (at & 3) == 0 && end >= word_end;
    const access_id write = write_of(word.load(std::memory_order_relaxed));
    if (full && write != split_mark) {
      unwritten = unwritten && write == 0;
      check.check(word);
    } else if (slot* const parts = byte_slots(word)) {
      for (uintptr_t byte = at; byte < std::min(end, word_end); ++byte) {
        unwritten = unwritten && write_of(parts[byte & 3].load(std::memory_order_relaxed)) == 0;
        check.check(parts[byte & 3]);
      }
      in_part = in_part || (reads && full && is_written_in_part(parts, at));
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
  record found;
  if (!flags_of_host.may_contain(at)) return;
  const access_id write = write_of(slot_of(at).load(std::memory_order_acquire));
  if (write == split_mark || !record_ring::instance().read(number_of(write), &found)) return;
  if ((found.flags & by_operation) && (found.flags & (is_strong | is_volatile))) {
    learn_from_host(*c.block->launch->operation, found.launch);
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
