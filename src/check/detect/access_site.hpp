// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shortest path of ordinary accesses. A site keeps what the latest accesses of one warp at one place have found:
// the memory around them, the warp's record, and how accesses of other threads of the same kind merge with it. An
// access that finds its words as expected needs about 75 instructions; any other one takes fast_access, and
// learn_site() keeps the result. All of that counts until the block's next synchronisation. Both paths store equal
// values in a slot.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "check/detect/thread_access.hpp"
#include "check/memory/record.hpp"
#include "check/memory/shadow.hpp"
#include "check/order/accessor.hpp"
#include "check/order/happens_before.hpp"

namespace cohort::check {

struct alignas(64) access_site {
  uint64_t place = 0;     // record::place, with the flags in bits 48 to 55
  uint64_t moment = 0;    // moment() of the block's clock at which the facts were found
  uintptr_t low = 0;      // the first address of an allocation or variable, or of a part of it
  slot* slots = nullptr;  // the slot of `low`
  uint32_t count = 0;     // the elements from `low` on
  uint32_t changes = 0;   // memory_changes when the range was found
  uint16_t warp = 0;
  bool is_alone = false;       // no other OS thread changes the slots
  bool is_allocation = false;  // the range is an allocation, which other blocks may access, too
  access_id own = 0;           // the warp's record at this place, without a lane; 0: not made yet
  // Earlier accesses of the warp, without lanes, at other places. A write in `own_write` is ordered before the later
  // access of its lane. Reads in `own_reads` merge with a read of any lane, and are ordered before a write of their
  // lane. For an atomic, `own_reads` are updates of its kind.
  access_id own_write = 0, own_reads = 0;
  // Reads or updates of other threads: `others` names a record and its more_mark, and `group` is the id that stands for
  // these and the accesses of this warp.
  uint32_t others = no_others;
  access_id group = no_group;

  uintptr_t last = 0;          // offset of the latest read from `low`
  uint32_t ordered_below = 0;  // block_clock::records_ordered_at() of the range

  static constexpr uint32_t no_others = ~0u;  // record numbers have fewer bits
  static constexpr access_id no_group = 0;    // stands for the reads of a slot that has no reads
};

// The sites of this OS thread, indexed by the low bits of places: the calls of a kernel that is shorter than the table
// have different ones. An instruction of a call has five bytes, so a call has five sites.
constexpr size_t sites_of_thread = 4096;
extern __thread access_site* sites __attribute__((tls_model("initial-exec")));
// The site of the access number `index` that the call at `place` checks; `index` is below five.
inline access_site& site_at(const void* place, uint32_t index = 0) {
  return sites[(reinterpret_cast<uintptr_t>(place) - index) % sites_of_thread];
}
// The place of a record together with its flags.
inline uint64_t site_key(uint64_t place, uint8_t flags) { return place ^ static_cast<uint64_t>(flags) << 48; }

// An access of one value at a site. `bytes`: a power of two up to 16. Without calls, all values stay in registers.
template <size_t bytes, uint8_t flags, effort allowed>
class site_access {
 public:
  // Prepares an access at a site. pre: the clock belongs to the running block
  site_access(const accessor& c, access_site& site) : b_(*c.block), site_(site), node_(lanes_per_warp + c.lane()) {}

  // Whether the site's facts hold for an access at `place` now.
  __attribute__((always_inline)) static bool is_known(const accessor& c, const access_site& site, uint64_t place) {
    return site.place == site_key(place, flags) && site.moment == c.block->moment() && site.warp == c.warp() &&
           site.changes == memory_changes.load(std::memory_order_relaxed);
  }

  // Returns false if fast_access must check the access. Slots that this call has updated until then stay updated.
  __attribute__((always_inline)) bool check(uintptr_t at) {
    const uintptr_t offset = at - site_.low;
    if (std::rotr(offset, std::countr_zero(bytes)) >= site_.count) return false;
    slot* const words = site_.slots + offset / 4;
    if constexpr (!(flags & is_write)) {
      // Loops often walk over memory in steps of many lines, which processors do not prefetch.
      const auto step = static_cast<intptr_t>(offset - site_.last);
      site_.last = offset;
      __builtin_prefetch(words + step / 4 * reads_ahead, 1);
    }
    if constexpr (bytes >= 4) {
      for (size_t i = 0; i < bytes / 4; ++i) {
        if (!update(words[i])) return false;
      }
    } else {
      const uint64_t word = words->load(std::memory_order_acquire);
      if (write_of(word) != split_mark) return false;
      slot* const parts = split_slots + size_t{reads_of(word)} * 4 + at % 4;
      for (size_t i = 0; i < bytes; ++i) {
        if (!update(parts[i])) return false;
      }
    }
    return true;
  }

 private:
  __attribute__((always_inline)) bool update(slot& at) {
    const uint64_t seen = at.load(std::memory_order_acquire);
    if constexpr (flags & is_strong) return note_atomic(at, seen);
    return flags & is_write ? note_write(at, seen) : note_read(at, seen);
  }

  // Atomic updates of one kind merge as reads do, in the lower half of the slot, or in the upper half if the lower one
  // holds a write.
  __attribute__((always_inline)) bool note_atomic(slot& at, uint64_t seen) {
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (write + 1 <= 1) return false;
    if (reads == 0) return merge_update(at, seen, write, [](access_id all) { return slot_value(all, 0); });
    if (!has_more(reads) || !is_before(write)) return false;
    return merge_update(at, seen, reads & ~more_mark,
                        [=](access_id all) { return slot_value(write, all | more_mark); });
  }
  template <class Value>
  __attribute__((always_inline)) bool merge_update(slot& at, uint64_t seen, access_id updates, const Value& value) {
    if (updates == site_.group) return true;
    const access_id of_warp = updates & ~lane_bits;
    if (of_warp == site_.own || of_warp == site_.own_reads) return merge_lane(at, seen, updates, value);
    return updates >> node_bits == site_.others && store(at, seen, value(site_.group));
  }
  // Adds this lane to earlier accesses of its warp.
  template <class Value>
  __attribute__((always_inline)) bool merge_lane(slot& at, uint64_t seen, access_id others, const Value& value) {
    const uint32_t node = common_node(node_of(others), node_);
    if (node == node_of(others) && node != node_) return true;
    return site_.own != 0 && store(at, seen, value(site_.own | node));
  }

  __attribute__((always_inline)) bool note_read(slot& at, uint64_t seen) {
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (write + 1 <= 1) {  // a split word, or one without a write
      if (write != 0 || checks_memory) return false;
    } else if (!is_ordered(write, site_.own_write)) {
      return false;
    }
    if (reads == 0) return put(at, seen, write);
    if (reads == site_.group) return true;
    const access_id of_warp = reads & ~lane_bits;
    if (of_warp == site_.own || of_warp == site_.own_reads) {
      return merge_lane(at, seen, reads, [=](access_id all) { return slot_value(write, all); });
    }
    if (reads >> node_bits == site_.others) return store(at, seen, slot_value(write, site_.group));
    return !has_more(reads) && is_before(reads) && put(at, seen, write);
  }

  // Stores this read as the only one.
  __attribute__((always_inline)) bool put(slot& at, uint64_t seen, access_id write) {
    return site_.own != 0 && store(at, seen, slot_value(write, site_.own | node_));
  }

  __attribute__((always_inline)) bool note_write(slot& at, uint64_t seen) {
    const uint64_t next = slot_value(site_.own | node_, 0);
    if (seen == next) return true;
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (write == split_mark || has_more(reads)) return false;
    if (write && !is_ordered(write, site_.own_write)) return false;
    if (reads && !is_ordered(reads, site_.own_reads)) return false;
    return store(at, seen, next);
  }

  // Whether the access happens before all that the block does now, or is of the same lane and of the record `own`.
  __attribute__((always_inline)) bool is_ordered(access_id id, access_id own) {
    return is_before(id) || id == (own | node_) ||
           (allowed == effort::calls && prove_happens_before(b_, number_of(id)));
  }

  // Whether barriers are known to order the access before all that the block does now.
  __attribute__((always_inline)) bool is_before(access_id id) {
    return block_clock::is_below(number_of(id), site_.ordered_below) || b_.is_known_before(number_of(id));
  }

  __attribute__((always_inline)) bool store(slot& at, uint64_t seen, uint64_t next) {
    if (seen == next) return true;
    if (__builtin_expect(site_.is_alone, 1)) {
      at.store(next, std::memory_order_relaxed);
      return true;
    }
    return at.compare_exchange_strong(seen, next, std::memory_order_acq_rel);
  }

  static constexpr intptr_t reads_ahead = 4;
  static constexpr access_id lane_bits = (1u << node_bits) - 1;

  block_clock& b_;
  access_site& site_;
  const access_id node_;
};

// An access whose site may lack facts.
struct unknown_access {
  accessor by;
  const void* code;
  uint64_t place;
  uint8_t flags;
  uintptr_t at;
  size_t bytes;
};

// Makes site_at(code, index) the access's site, with the memory around it and the warp's record if the access needs
// one. Null: fast_access must check the access, and there is nothing to learn.
access_site* prepare_site(const unknown_access& a, uint32_t index);
// Stores in the site how the access has merged with others. `seen`, `next`: the values of its last slot before and
// after it. pre: fast_access has checked the access at the prepared site
void learn_site(access_site& site, const unknown_access& a, uint64_t seen, uint64_t next);

}  // namespace cohort::check
