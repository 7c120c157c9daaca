// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast path of ordinary and atomic accesses, inlined into the functions that instrumented code calls. It covers
// words whose accesses barriers order before this one, and words that threads of one block read, or update by atomics,
// between two synchronisations. All other accesses take check_access_of(), which finds the races. Both paths store
// equal values in a slot.
#pragma once

#include "access.hpp"
#include "memory/allocations.hpp"
#include "memory/shadow.hpp"
#include "memory_check.hpp"
#include "operation_access.hpp"

namespace cohort::check {

class fast_access {
 public:
  // `flags`: 0, or is_write; for check_atomic() also is_strong and a scope.
  fast_access(const accessor& c, uint64_t place, uint8_t flags) : c_(c), b_(*c.block), place_(place), flags_(flags) {}

  // False: check_access_of() must check the access. Slots that were updated before that keep their values there.
  __attribute__((always_inline)) bool check(uintptr_t at, size_t bytes) {
    if (b_.may_have_flags() || !is_inside(at, bytes)) return false;
    at_ = at;
    written_ = false;
    if (__builtin_expect(bytes >= 4, 1)) {
      if (at % 4 != 0 || ((at ^ (at + bytes - 1)) >> region_bits) != 0) return false;
      slot* const words = &slot_of(at);
      for (size_t i = 0; i < bytes / 4; ++i) {
        if (!update(words[i])) return false;
      }
    } else {
      const uint64_t word = slot_of(at).load(std::memory_order_acquire);
      if (write_of(word) != split_mark || at % 4 + bytes > 4) return false;
      slot* const parts = split_slots + size_t{reads_of(word)} * 4;
      for (size_t i = 0; i < bytes; ++i) {
        if (!update(parts[at % 4 + i])) return false;
      }
    }
    return !checks_memory || (flags_ & is_write) || written_;
  }

  // check() for a run of reads, from its begin. Returns how many of them need no other check.
  template <size_t bytes>
  uint32_t check_run(const read_run& run) {
    const uintptr_t last = run.first + static_cast<uint64_t>(run.stride) * (run.count - 1);
    const uintptr_t low = run.first < last ? run.first : last, end = (run.first < last ? last : run.first) + bytes;
    if (bytes < 4 || run.first % 4 != 0 || run.stride % 4 != 0 || ((low ^ (end - 1)) >> region_bits) != 0) return 0;
    if (b_.may_have_flags() || !is_inside(low, end - low)) return 0;
    at_ = low;
    slot* words = &slot_of(run.first);
    access_id known = 0, all = 0;
    for (uint32_t i = 0; i < run.count; ++i, words += run.stride / 4) {
      for (size_t word = 0; word < bytes / 4; ++word) {
        const uint64_t seen = words[word].load(std::memory_order_acquire);
        const access_id write = write_of(seen);
        if (write ? write != known && !is_known(write) : checks_memory) return i;
        known = write;
        if (!merge_reads(reads_of(seen)) || !replace(words[word], seen, slot_value(write, last_merged_))) return i;
        if (last_merged_ != all) {
          if (all) is_uniform_ = false;
          all = last_merged_;
        }
      }
    }
    if (is_uniform_) remember(run, all);
    return run.count;
  }

  // check() for an atomic that writes. False also for a word without a write: check_access_of() finds unwritten ones.
  bool check_atomic(uintptr_t at, size_t bytes) {
    if (b_.may_have_flags() || (bytes != 4 && bytes != 8) || at % bytes != 0 || !is_inside(at, bytes)) return false;
    slot* const words = &slot_of(at);
    return update_atomic(words[0]) && (bytes == 4 || update_atomic(words[1]));
  }

 private:
  // Whether all bytes lie in one variable or in allocations.
  __attribute__((always_inline)) bool is_inside(uintptr_t at, size_t bytes) {
    return !checks_memory || b_.variable_near(at).contains(at, bytes) || is_allocated(at, bytes) ||
           remember_variable(b_, at, bytes);
  }

  __attribute__((always_inline)) bool update(slot& at) {
    const uint64_t seen = at.load(std::memory_order_acquire);
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (write && !is_known(write)) return false;
    written_ = written_ || write;
    uint64_t next = 0;
    if (flags_ & is_write) {
      if (reads && !is_known(reads)) return false;
      next = slot_value(own_id(), 0);
    } else {
      if (!merge_reads(reads)) return false;
      next = slot_value(write, last_merged_);
    }
    return replace(at, seen, next);
  }

  // Finds the identity of this read and of the reads in a slot. False: they need the full comparison.
  __attribute__((always_inline)) bool merge_reads(access_id reads) {
    if (__builtin_expect(reads == last_reads_ && last_merged_, 1)) return true;
    access_id all = reads && !b_.knows(number_of(reads)) ? merged(reads) : own_id();
    if (!all && is_known(reads)) all = own_id();
    if (!all) return false;
    last_reads_ = reads;
    last_merged_ = all;
    return true;
  }

  // Keeps the run, whose slots all have `reads` now, with the threads of the block that it stands for.
  void remember(const read_run& run, access_id reads) {
    const record& r = record_at(number_of(reads));
    uint32_t first = r.first_thread, end = first + (1u << (r.extent < threads_of_block ? r.extent : threads_of_block));
    if (r.extent == threads_of_warp) {
      const uint32_t lanes = lanes_of(node_of(reads));
      first += static_cast<uint32_t>(__builtin_ctz(lanes));
      end = first + static_cast<uint32_t>(__builtin_popcount(lanes));
    }
    if (!is_unchanged(r, number_of(reads)) || first > c_.thread || end <= c_.thread || end - first == 1) return;
    if (!b_.runs) b_.runs = std::make_unique<std::array<known_run, block_clock::known_runs>>();
    b_.run_near(run) = {run, b_.tick, memory_changes.load(std::memory_order_relaxed), first, end};
  }

  // Atomics that are not ordered with each other stay in the slot together.
  bool update_atomic(slot& at) {
    const uint64_t seen = at.load(std::memory_order_acquire);
    const access_id write = write_of(seen), reads = reads_of(seen);
    if (!write || write == split_mark || (reads && !is_known(reads))) return false;
    access_id all = b_.knows(number_of(write)) ? own_id() : merged(write);
    if (!all && is_known(write)) all = own_id();
    return all && replace(at, seen, slot_value(all, 0));
  }

  __attribute__((always_inline)) bool replace(slot& at, uint64_t seen, uint64_t next) {
    if (next == seen) return true;
    const bool alone = !b_.launch->many_workers && !operations_meet.load(std::memory_order_relaxed);
    if (alone || b_.is_own_shared(at_)) {
      at.store(next, std::memory_order_relaxed);
      return true;
    }
    uint64_t expected = seen;
    return at.compare_exchange_strong(expected, next, std::memory_order_acq_rel);
  }

  uint32_t first_of_warp() const { return c_.warp() * lanes_per_warp; }
  uint32_t own_node() const { return lanes_per_warp + c_.lane(); }

  __attribute__((always_inline)) access_id own_id() {
    if (!own_) own_ = make_id(b_.record_number(place_, first_of_warp(), threads_of_warp, flags_), own_node());
    return own_;
  }

  // Whether barriers or the thread's own program order the access of `id` before this one.
  __attribute__((always_inline)) bool is_known(access_id id) {
    if (id == split_mark) return false;
    return b_.knows(number_of(id)) || is_own(id) || learn(b_, number_of(id));
  }

  bool is_own(access_id id) const {
    if (node_of(id) != own_node()) return false;
    const record& r = record_at(number_of(id));
    return r.launch == b_.launch->number && r.block == b_.rank && r.first_thread == first_of_warp() &&
           r.extent == threads_of_warp && !(r.flags & is_async_copy) && is_unchanged(r, number_of(id));
  }

  // The identity of this access merged with the accesses `others`, as check_access_of() would merge them. 0: they were
  // made before the block's last synchronisation, or are of another kind.
  access_id merged(access_id others) {
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
    if (!in_block) return 0;
    if (extent == threads_of_warp && first == first_of_warp()) {
      const uint32_t node = common_node(node_of(others), own_node());
      if (node == own_node()) return own_id();
      return node == node_of(others) ? others : make_id(number_of(own_id()), node);
    }
    const auto common = static_cast<uint8_t>(std::bit_width(first ^ c_.thread));
    if (common <= extent) return others;
    return make_id(b_.record_number(place_, first_of(c_.thread, common), common, flags_), top_node);
  }

  // Called after the fields were read: none of them is of a later record then.
  static bool is_unchanged(const record& r, uint32_t number) {
    std::atomic_thread_fence(std::memory_order_acquire);
    return r.number.load(std::memory_order_relaxed) == number;
  }

  const accessor& c_;
  block_clock& b_;
  const uint64_t place_;
  const uint8_t flags_;
  uintptr_t at_ = 0;  // an address of the access
  access_id own_ = 0;
  // The reads in the word before, and their identity with this read. Words of one array often have equal values.
  access_id last_reads_ = 0, last_merged_ = 0;
  bool written_ = false;
  bool is_uniform_ = true;
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
