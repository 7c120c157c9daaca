// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast path of ordinary and atomic accesses, inlined into the functions that instrumented code calls. It covers
// words whose accesses barriers order before this one, and words that threads of one block read, or update by atomics,
// between two synchronisations. All other accesses take check_access_of(), which finds the races. All paths store equal
// values in a slot.
#pragma once

#include <algorithm>

#include "check/detect/bounds.hpp"
#include "check/detect/operation_access.hpp"
#include "check/detect/thread_access.hpp"
#include "check/memory/allocations.hpp"
#include "check/memory/shadow.hpp"
#include "check/order/happens_before.hpp"
#include "check/sync/compare_waits.hpp"

namespace cohort::check {

template <effort allowed>
class fast_access {
 public:
  // Prepares the check of an access by `c` at `place`. `flags`: 0, or is_write; for check_atomic() also is_strong and a
  // scope.
  fast_access(const accessor& c, uint64_t place, uint8_t flags) : c_(c), b_(*c.block), place_(place), flags_(flags) {}

  // Returns false if check_access_of() must check the access. Slots that this call has updated until then stay updated.
  __attribute__((always_inline)) bool check(uintptr_t at, size_t bytes) { return check(at, bytes, bytes); }
  // check() for an address that must be a multiple of `alignment`, a power of two, which may differ from `bytes`.
  __attribute__((always_inline)) bool check(uintptr_t at, size_t bytes, size_t alignment) {
    if (may_have_flags() || !is_inside(at, bytes)) return false;
    if (__builtin_expect(bytes >= 4, 1)) {
      // check_access_of() reports misaligned values.
      if ((at & (alignment - 1)) != 0 || ((at ^ (at + bytes - 1)) >> region_bits) != 0) return false;
      return check_words(&slot_of(at), at, bytes);
    }
    set_address(at);
    written_ = false;
    const uint64_t word = slot_of(at).load(std::memory_order_acquire);
    if (write_of(word) != split_mark || (at & (alignment - 1)) != 0) return false;
    slot* const parts = split_slots + size_t{reads_of(word)} * 4;
    for (size_t i = 0; i < bytes; ++i) {
      if (!update(parts[at % 4 + i])) return false;
    }
    return is_checked();
  }

  // check() for aligned words at `words` that lie in allocations or variables. `may_be_stable`: false if the caller has
  // ruled that out. pre: no flags order accesses of the block
  __attribute__((always_inline)) bool check_words(slot* words, uintptr_t at, size_t bytes, bool may_be_stable = true) {
    set_address(at);
    written_ = false;
    for (size_t i = 0; i < bytes / 4; ++i) {
      if (!update(words[i], may_be_stable)) return false;
    }
    return is_checked();
  }

  // check() for the reads of a run. Returns how many of them, counted from the first, need no other check.
  template <size_t bytes>
  uint32_t check_run(const read_run& run) {
    const uintptr_t last = run.first + static_cast<uint64_t>(run.stride) * (run.count - 1);
    const uintptr_t low = run.first < last ? run.first : last, end = (run.first < last ? last : run.first) + bytes;
    constexpr int64_t size = bytes;
    if (bytes < 4 || run.first % size != 0 || run.stride % size != 0 || ((low ^ (end - 1)) >> region_bits) != 0)
      return 0;
    if (may_have_flags() || !is_inside(low, end - low)) return 0;
    set_address(low);
    slot* value = &slot_of(run.first);
    const int64_t step = run.stride / 4;
    const uint32_t count = run.count;
    // The next thread often reads the words after these, as rows of a matrix.
    prefetch_slot(end);
    prefetch_slot(end + line_of_slots);
    const bool alone = is_alone();
    merged_run merged;
    constexpr uint32_t words = bytes < 4 ? 1 : bytes / 4, most_loaded = 16 / words;
    for (uint32_t i = 0; i < count; i += most_loaded) {
      const uint32_t loaded = std::min(most_loaded, count - i);
      // All loads first: slots that are a multiple of 4 KiB apart would make loads wait for the stores.
      uint64_t seen[most_loaded * words];
      for (uint32_t k = 0; k < loaded; ++k) {
        for (uint32_t word = 0; word < words; ++word) {
          seen[k * words + word] = value[k * step + word].load(std::memory_order_acquire);
        }
      }
      for (uint32_t k = 0; k < loaded; ++k, value += step) {
        for (uint32_t word = 0; word < words; ++word) {
          if (!merge_into(merged, seen[k * words + word])) return i + k;
          if (!replace(value[word], seen[k * words + word], merged.next, alone)) return i + k;
        }
      }
    }
    remember(run, merged.group);
    return count;
  }

  // check() for an atomic that writes. False also for a word without a write: check_access_of() finds unwritten words.
  __attribute__((always_inline)) bool check_atomic(uintptr_t at, size_t bytes) {
    if (may_have_flags() || (bytes != 4 && bytes != 8) || at % bytes != 0 || !is_inside(at, bytes)) return false;
    set_address(at);
    slot* const words = &slot_of(at);
    return update_atomic(words[0]) && (bytes == 4 || update_atomic(words[1]));
  }

  // The value of the last slot before and after check().
  uint64_t last_seen() const { return seen_; }
  uint64_t last_stored() const { return next_; }

 private:
  static constexpr uintptr_t line_of_slots = 32;  // bytes whose slots share a cache line

  // Whether all bytes lie in one variable or in allocations that permit the access. --check=sync tests only writes.
  __attribute__((always_inline)) bool is_inside(uintptr_t at, size_t bytes) {
    const bool writes = flags_ & is_write;
    if (!checks_memory && (!checks_sync || !writes || b_.is_own_shared(at))) return true;
    const address_range& near = b_.variable_near(at);
    if (near.contains(at, bytes) && !(near.is_constant && writes)) return true;
    return (bytes <= granule ? is_allocated(at, bytes) : find_allocation_around(at, bytes).contains(at, bytes)) ||
           (allowed == effort::calls && remember_variable(b_, at, bytes, writes));
  }

  // False after a read of words that no thread wrote, which the memory check reports.
  __attribute__((always_inline)) bool is_checked() const { return !checks_memory || (flags_ & is_write) || written_; }

  __attribute__((always_inline)) bool may_have_flags() {
    if (b_.plain_tick == b_.tick) return false;
    if (allowed == effort::no_calls || b_.may_have_flags()) return true;
    b_.plain_tick = b_.tick;
    return false;
  }

  __attribute__((always_inline)) bool update(slot& at, bool may_be_stable = true) {
    const uint64_t seen = at.load(std::memory_order_acquire);
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (may_be_stable && !(flags_ & is_write) && (seen == stable_ || b_.is_stable(seen, c_.thread))) {
      seen_ = next_ = stable_ = seen;
      written_ = true;
      return true;
    }
    if (write && !is_known(write)) return false;
    written_ = written_ || write;
    uint64_t next = 0;
    if (flags_ & is_write) {
      if ((reads && !is_known(reads)) || !own_id()) return false;
      next = slot_value(own_id(), 0);
    } else {
      if (!merge_reads(reads)) return false;
      next = slot_value(write, last_merged_);
      if (next == seen) keep_unchanged(seen);
    }
    return replace(at, seen, next);
  }

  // Finds one access_id that stands for this read and the reads of the slot, in `last_merged_`. False: the reads
  // need the full comparison.
  __attribute__((always_inline)) bool merge_reads(access_id reads) {
    if (__builtin_expect(reads == last_reads_ && last_merged_, 1)) return true;
    if (__builtin_expect(has_more(reads), 0)) return false;
    access_id all = reads && !is_before(reads) ? merged(reads) : own_id();
    if (!all && is_known(reads)) all = own_id();
    if (!all) return false;
    last_reads_ = reads;
    last_merged_ = all;
    return true;
  }

  // A range of threads of the block, by rank.
  struct thread_range {
    uint32_t first = 0, end = threads_of_range;
    static constexpr uint32_t threads_of_range = 1u << threads_of_block;
    void intersect(const thread_range& other) {
      first = std::max(first, other.first);
      end = std::min(end, other.end);
    }
    bool is_group_of(uint32_t thread) const { return first <= thread && thread < end && end - first > 1; }
  };

  // A run of reads: the latest slot value with the one that replaces it, and the threads that all slots have as
  // readers.
  struct merged_run {
    uint64_t seen = 0, next = 0;  // adjacent slots often have equal values, so these serve several
    thread_range group;
  };
  // Sets `run.next` to the value of a slot of the run. False: the slot needs the full comparison.
  __attribute__((always_inline)) bool merge_into(merged_run& run, uint64_t seen) {
    if (seen == run.seen && run.next != 0) return true;
    const access_id write = write_of(seen), reads = reads_of(seen);
    const bool is_usual = run.next != 0 && reads == last_reads_ && write && write != split_mark;
    if (!(is_usual && is_before(write))) {
      if (write ? !is_known(write) : checks_memory) return false;
      if (!merge_reads(reads)) return false;
      // The write must be ordered before the whole block, or the run holds for this thread only.
      if (write && !is_before(write)) run.group = {0, 0};
      if (is_lane(node_of(last_merged_))) {
        run.group = {0, 0};
      } else if (run.group.end > run.group.first && reads_of(run.next) != last_merged_) {
        run.group.intersect(readers(last_merged_));
      }
    }
    run.seen = seen;
    run.next = slot_value(write, last_merged_);
    return true;
  }

  // The threads whose reads a slot's record covers: one thread, a warp or a block. Empty if the record was replaced.
  static thread_range readers(access_id reads) {
    const record& r = record_at(number_of(reads));
    thread_range result = {r.first_thread,
                           r.first_thread + (1u << (r.extent < threads_of_block ? r.extent : threads_of_block))};
    if (r.extent == threads_of_warp) {
      result.first += first_lane_of(node_of(reads));
      result.end = result.first + lane_count_of(node_of(reads));
    }
    return is_unchanged(r, number_of(reads)) ? result : thread_range{0, 0};
  }

  // Keeps the value of a slot that this read does not change.
  void keep_unchanged(uint64_t seen) {
    if (!write_of(seen) || !is_before(write_of(seen))) return;
    const thread_range group = readers(reads_of(seen));
    if (!group.is_group_of(c_.thread)) return;
    b_.stable_near(seen) = {seen, b_.tick, static_cast<uint16_t>(group.first),
                            static_cast<uint16_t>(group.end - group.first)};
  }

  // Stores the run in the block's table of runs: each of its slots now has the threads of `group` as readers.
  void remember(const read_run& run, const thread_range& group) {
    if (!group.is_group_of(c_.thread)) return;
    if (!b_.runs) b_.runs = std::make_unique<std::array<known_run, block_clock::known_runs>>();
    b_.run_near(run) = {run, b_.tick, memory_changes.load(std::memory_order_relaxed), group.first, group.end};
  }

  // Unordered atomics of one kind share an id in the slot, because they do not race.
  __attribute__((always_inline)) bool update_atomic(slot& at) {
    const uint64_t seen = at.load(std::memory_order_acquire);
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (!write || write == split_mark) return false;
    const access_id updates = has_more(reads) ? reads & ~more_mark : write;
    const access_id all = is_before(updates) ? 0 : merged(updates);
    if (__builtin_expect(all && !reads, 1)) return replace(at, seen, slot_value(all, 0));
    if (all && has_more(reads) && is_before(write)) return replace(at, seen, slot_value(write, all | more_mark));
    return allowed == effort::calls && update_ordered(at, seen, all);
  }

  // Stores an update if the slot's other accesses are ordered before it; else returns false. `all`: this update and
  // those in the slot that are not ordered before it; 0: there are none.
  __attribute__((noinline)) bool update_ordered(slot& at, uint64_t seen, access_id all) {
    const access_id write = write_of(seen), reads = reads_of(seen);
    const bool is_shared = b_.is_own_shared(at_);
    if (has_more(reads)) {
      if (!is_known(write)) return false;
      if (!all && is_same_kind(reads) && is_known(reads)) all = own_id();
      return all && replace(at, seen, slot_value(write, all | more_mark));
    }
    // In shared memory that no other block reaches, an access that barriers order before the whole block can race with
    // nothing.
    if (reads && !(is_shared && prove_happens_before(b_, number_of(reads)))) return false;
    if (all) return replace(at, seen, slot_value(all, 0));
    if (!is_known(write)) return false;
    if (is_same_kind(write) || (is_shared && prove_happens_before(b_, number_of(write)))) {
      return replace(at, seen, slot_value(own_id(), 0));
    }
    if (record_at(number_of(write)).flags & is_strong) return false;
    return replace(at, seen, slot_value(write, own_id() | more_mark));
  }

  bool is_same_kind(access_id id) const { return record_at(number_of(id)).flags == flags_; }

  // Whether no other OS thread changes the slots of this access.
  __attribute__((always_inline)) bool is_alone() const {
    return (!b_.launch->many_workers && !operations_overlap.load(std::memory_order_relaxed)) || b_.is_own_shared(at_);
  }
  __attribute__((always_inline)) static bool replace(slot& at, uint64_t seen, uint64_t next, bool alone) {
    if (next == seen) return true;
    if (alone) {
      at.store(next, std::memory_order_relaxed);
      return true;
    }
    uint64_t expected = seen;
    return at.compare_exchange_strong(expected, next, std::memory_order_acq_rel);
  }
  __attribute__((always_inline)) bool replace(slot& at, uint64_t seen, uint64_t next) {
    seen_ = seen;
    next_ = next;
    return replace(at, seen, next, next == seen || is_alone());
  }

  uint32_t first_of_warp() const { return c_.warp() * lanes_per_warp; }
  uint32_t own_node() const { return lanes_per_warp + c_.lane(); }

  // Returns 0 if there is no record yet and `allowed` excludes the call that makes one.
  __attribute__((always_inline)) access_id own_id() {
    if (own_) return own_;
    const uint32_t number = record_number(first_of_warp(), threads_of_warp);
    if (number) own_ = make_id(number, own_node());
    return own_;
  }
  __attribute__((always_inline)) uint32_t record_number(uint32_t first, uint8_t extent) {
    return allowed == effort::calls ? b_.record_number(place_, first, extent, flags_)
                                    : b_.find_record(place_, first, extent, flags_);
  }

  // Whether barriers are known to order the access before all that the block does now.
  __attribute__((always_inline)) bool is_before(access_id id) const {
    return block_clock::is_below(number_of(id), ordered_below_) || b_.is_known_before(number_of(id));
  }
  void set_address(uintptr_t at) {
    at_ = at;
    ordered_below_ = b_.records_ordered_at(at);
  }

  // Whether barriers or the thread's own program order the access of `id` before this one.
  __attribute__((always_inline)) bool is_known(access_id id) {
    if (id == split_mark) return false;
    const uint32_t number = number_of(id);
    if (is_before(id)) return true;
    const record& r = record_at(number);
    const bool is_own = node_of(id) == own_node() && r.first_thread == first_of_warp() && r.extent == threads_of_warp;
    const bool is_ordered = is_own || (allowed == effort::no_calls && r.tick < b_.ordered_below);
    const bool in_block = r.launch == b_.launch->number && r.block == b_.rank && r.extent <= threads_of_block;
    if (is_ordered && in_block && !(r.flags & is_async_copy) && is_unchanged(r, number)) return true;
    return allowed == effort::calls && prove_happens_before(b_, number);
  }

  // Returns the access_id that stands for this access and `others`, as check_access_of() merges them. 0: the fast path
  // cannot decide; the caller takes the slow one.
  __attribute__((always_inline)) access_id merged(access_id others) {
    const uint32_t number = number_of(others);
    const record& r = record_at(number);
    const uint32_t first = r.first_thread, outer = r.outer;
    const uint8_t extent = r.extent;
    const bool in_block = r.block == b_.rank && r.tick == b_.tick && extent <= threads_of_block;
    if (r.flags != flags_ || r.launch != b_.launch->number || !is_unchanged(r, number)) return 0;
    if (extent == threads_of_grid) {
      const bool reaches = !(flags_ & is_strong) || scope_of(flags_) != scope::block;
      return reaches && outer == b_.outer ? others : 0;
    }
    if (!in_block) {
      // Unordered reads of two blocks share a record of the grid.
      const bool is_other_block = r.block != b_.rank && extent <= threads_of_block && !b_.block.has_cluster();
      const bool is_ordered = outer < b_.grid_ordered_below || outer < b_.session_ordered_below;
      if (flags_ != 0 || !is_other_block || is_ordered || !is_unchanged(r, number)) return 0;
      if (!grid_) grid_ = record_number(0, threads_of_grid);
      return grid_ ? make_id(grid_, top_node) : 0;
    }
    if (extent == threads_of_warp && first == first_of_warp()) {
      const uint32_t node = common_node(node_of(others), own_node());
      if (node == node_of(others) && node != own_node()) return others;
      return own_id() ? make_id(number_of(own_id()), node) : 0;
    }
    const auto common = static_cast<uint8_t>(std::bit_width(first ^ c_.thread));
    if (common <= extent) return others;
    const uint32_t wider = record_number(first_of(c_.thread, common), common);
    return wider ? make_id(wider, top_node) : 0;
  }

  // Whether `r` still has this number. Called after its fields were read, so all of them belong to that record.
  static bool is_unchanged(const record& r, uint32_t number) {
    std::atomic_thread_fence(std::memory_order_acquire);
    return r.number.load(std::memory_order_relaxed) == number;
  }

  const accessor& c_;
  block_clock& b_;
  const uint64_t place_;
  const uint8_t flags_;
  uintptr_t at_ = 0;            // an address of the access
  uint32_t ordered_below_ = 0;  // block_clock::records_ordered_at() of the address
  access_id own_ = 0;
  uint32_t grid_ = 0;  // the number of the grid's record
  // The previous word's reads, and the access_id that stands for them and this read. Words of one array often have
  // equal values.
  access_id last_reads_ = 0, last_merged_ = 0;
  uint64_t stable_ = ~uint64_t{0};  // no slot has this value
  bool written_ = false;
  uint64_t seen_ = 0, next_ = 0;  // the last slot's value before and after the access
};

// Whether the slots show that the thread has made the run of reads since the block's last synchronisation. A thread of
// the group that writes in between races with the group's reads, which is reported there.
inline bool is_read(const accessor& c, const read_run& run) {
  if (!c.block->runs) return false;
  const known_run& known = c.block->run_near(run);
  return known.run == run && known.tick == c.block->tick && c.thread >= known.first_thread &&
         c.thread < known.end_thread && known.changes == memory_changes.load(std::memory_order_relaxed) &&
         !c.block->may_have_flags();
}

}  // namespace cohort::check
