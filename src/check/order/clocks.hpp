// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logical clocks. Each synchronisation of threads of a block advances the block's tick. Each group has a number
// `..._ordered_below`: accesses of its threads before that tick happen before what they do now. Groups are nested, so
// one number for each group is exact; only parts of a warp need one for each pair of lanes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "check/memory/record.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/acquired_flags.hpp"
#include "check/order/cluster_access.hpp"
#include "check/order/group_copy.hpp"
#include "check/order/launches.hpp"
#include "check/order/operations.hpp"
#include "check/order/waits.hpp"

namespace cohort::check {

constexpr uint32_t lanes_per_warp = 32, warps_per_block = 32;
// The number of tile sizes above a warp: 64, 128, 256, 512, 1024.
constexpr uint32_t tile_levels = 5;

using lane_ticks = std::array<uint32_t, lanes_per_warp>;

struct warp_clock {
  uint32_t ordered_below = 0;  // accesses of the lanes before this tick happen before what each lane does now
  // For each pair of lanes: the accesses of the second one before this tick happen before what the first one does now.
  // If it is null, `ordered_below` holds for all pairs.
  std::unique_ptr<std::array<lane_ticks, lanes_per_warp>> rows;

  uint32_t lane_ordered_below(uint32_t lane, uint32_t other) const {
    return rows ? std::max((*rows)[lane][other], ordered_below) : ordered_below;
  }
};

struct started_copy {
  void* to;
  const void* from;
  uint64_t bytes;
  uint64_t stage;
  const void* place;
};

// The part of a thread's clock that only fences, flags and asynchronous copies use.
struct thread_clock {
  fence_point fences[3];   // the accesses that the thread's last fence covers, for each scope
  acquired_flags pending;  // flags that were read, and not followed by a fence yet
  acquired_flags acquired;
  acquired_flag before_collection = {};  // the entry of `acquired` that collect_flag() has changed; `end` 0: no entry
  held_lock locks[4];                    // the locks that the thread has taken last
  uint32_t next_lock = 0;
  std::vector<started_copy> copies;  // asynchronous copies that no wait has completed
  uint64_t copy_stage = 0;
  fence_point proxy_fence;  // what happens before the thread's last fence.proxy.async
};

struct cached_record {
  uint64_t place = 0;
  uint32_t tick = 0;
  uint32_t number = 0;
  uint16_t first_thread = 0;
  uint8_t extent = 0;
  uint8_t flags = 0;
};

// Addresses of one variable.
struct address_range {
  uintptr_t first = 1, end = 0;
  bool is_constant = false;  // device code must not write the variable
  bool contains(uintptr_t at, size_t bytes) const { return at >= first && at + bytes <= end; }
};

// Addresses of one allocation.
struct known_range {
  address_range range;
  uint32_t changes = 0;  // memory_changes when the range was found
};

// Reads of one size at equal distances.
struct read_run {
  uintptr_t first = 0;
  int64_t stride = 0;
  uint32_t count = 0;
  uint32_t bytes = 0;
  bool operator==(const read_run&) const = default;
};

// A run of words that all threads [first_thread, end_thread) have read since the block's last synchronisation.
struct known_run {
  read_run run;
  uint32_t tick = 0;
  uint32_t changes = 0;  // memory_changes when the run was read
  uint32_t first_thread = 0, end_thread = 0;
};

// A slot value that a read by one of these threads leaves unchanged: barriers order the write before all that the block
// does now, and the reads include those of the threads.
struct stable_reads {
  uint64_t slot = 0;
  uint32_t tick = 0;
  uint16_t first = 0, count = 0;  // range of threads
};

struct block_clock {
  static constexpr uint32_t cached_records = 512, known_records = 1024, known_variables = 64, known_runs = 256,
                            stable_slots = 256;

  tools::block_view block;
  std::shared_ptr<launch_clock> launch;
  uint32_t rank = 0;
  uint32_t cluster = 0;  // number of the block's cluster in the grid
  uint32_t tick = 1;
  uint32_t life = next_life();  // unique among clocks; a new one is drawn when cached facts end before the next tick
  uint32_t ordered_below = 0;   // accesses of the block before this tick happen before what its threads do now
  uint32_t outer = 0;           // the session's count when the block last synchronised with other blocks
  uint32_t cluster_ordered_below = 0;  // accesses of the cluster's blocks with a smaller `outer` happen before
  uint32_t grid_ordered_below = 0;
  uint32_t session_ordered_below = 0;
  warp_clock warps[warps_per_block];
  uint32_t tile_ordered_below[tile_levels][warps_per_block / 2] = {};  // second index: the tile's number
  std::unique_ptr<wait_table> waits;                                   // null: no thread has waited
  std::unique_ptr<arrival_table> arrivals;                             // null: no thread has arrived
  std::unique_ptr<std::vector<thread_clock>> threads;                  // index: rank; null: not needed yet
  bool has_fences = false;
  bool has_acquirers = false;  // a thread may have acquired a flag, or has copied asynchronously
  // Accesses of the block before this tick were ordered, by a barrier, before a fence.proxy.async; 0: none.
  uint32_t proxy_fenced_below = 0;
  // Accesses of other blocks with a smaller `outer` were ordered, by a barrier of blocks, before such a fence.
  uint32_t proxy_fenced_outer = 0;
  acquired_flags acquired;  // flags that all threads of the block acquire at its barriers
  uint32_t plain_tick = 0;  // may_have_flags() is false at this tick; 0: unknown
  std::vector<const void*> tagged;
  cached_record cache[cached_records];
  // A cache, indexed by low bits: numbers of records that happen before all that the block does now. Numbers wrap
  // around, so the table is cleared after a quarter of them was given out.
  uint32_t ordered[known_records] = {};
  uint32_t ordered_since = 0;
  uint32_t records_ordered_below = 0;  // earlier records happen before the launch; 0: unknown or too old
  // Earlier records of this block happen before what its threads do now. Shared memory that no other block reaches has
  // no other records. 0: unknown, or asynchronous copies may have made some of them.
  uint32_t own_records_ordered_below = 0;
  bool has_async_copies = false;
  address_range variables[known_variables];                 // the latest variables; index: granule of the access
  known_range allocations[8];                               // allocations that the latest gathered reads accessed
  address_range own_shared[2];                              // shared memory that no other block reaches
  std::unique_ptr<std::array<known_run, known_runs>> runs;  // null: no run was read
  stable_reads stable[stable_slots];                        // the latest stable reads; index: hash of the slot's value
  // Placed after the hot tables, to keep their alignment in cache lines.
  group_copy_table group_copies;
  uintptr_t product_flags = 0;            // the first flag of waits for products; 0: no warp has waited
  cluster_access_table cluster_accesses;  // accesses to this block's shared memory

  // Identifies the block and its present tick. Facts that were cached at another moment are not valid.
  uint64_t moment() const { return uint64_t{life} << 32 | tick; }
  static uint32_t next_life();

  // Returns a thread's entry. The first call makes the entries of all threads of the block. For fences and locks: as
  // long as no thread acquires a flag, they order nothing in this block.
  thread_clock& entry_of(uint32_t rank_of_thread);
  // entry_of() for a thread that acquires a flag, copies asynchronously or executes a proxy fence.
  thread_clock& thread(uint32_t rank_of_thread);
  thread_wait& wait_of(uint32_t rank_of_thread) {
    if (!waits) make_waits();
    return (*waits)[rank_of_thread];
  }
  thread_arrivals& arrivals_of(uint32_t rank_of_thread);
  thread_clock* find_thread(uint32_t rank_of_thread) { return threads ? &(*threads)[rank_of_thread] : nullptr; }
  // Whether flags may order what barriers do not.
  bool may_have_flags() const { return has_acquirers || !acquired.empty() || !launch->acquired.empty(); }
  // True if the record is cached as ordered before all that the block does now.
  bool is_known_before(uint32_t number) const {
    return ordered[number % known_records] == number || is_below(number, records_ordered_below);
  }
  // Whether the number was given out before `end`; false if that is 0. Numbers wrap around.
  static bool is_below(uint32_t number, uint32_t end) {
    return end && ((end - 1 - number) & record_ring::last_number) < record_ring::last_number / 2;
  }
  // The argument `end` of is_below() for records of the word at `at`: those below it happen before what the block does.
  uint32_t records_ordered_at(uintptr_t at) const { return is_own_shared(at) ? own_records_ordered_below : 0; }
  address_range& variable_near(uintptr_t at) { return variables[at / 256 % known_variables]; }
  // The index is a hash, because many allocations begin at a page.
  known_range& allocation_near(uintptr_t base) { return allocations[base * 0x9e3779b97f4a7c15u >> 61]; }
  bool is_own_shared(uintptr_t at) const { return own_shared[0].contains(at, 1) || own_shared[1].contains(at, 1); }
  stable_reads& stable_near(uint64_t slot) { return stable[slot * 0x9e3779b97f4a7c15u >> 56]; }
  bool is_stable(uint64_t slot, uint32_t thread_rank) {
    const stable_reads& near = stable_near(slot);
    return near.slot == slot && near.tick == tick && thread_rank - near.first < near.count;
  }
  known_run& run_near(const read_run& run) {
    return (*runs)[((run.first + static_cast<uint64_t>(run.stride)) * 0x9e3779b97f4a7c15u + run.count) >> 56];
  }
  // Returns the number of the record for an access at the present tick; makes the record if there is none.
  __attribute__((always_inline)) uint32_t record_number(uint64_t place, uint32_t first_thread, uint8_t extent,
                                                        uint8_t flags) {
    const uint32_t found = find_record(place, first_thread, extent, flags);
    if (__builtin_expect(found != 0, 1)) return found;
    return new_record(hash_of(place, first_thread, extent, flags), place, first_thread, extent, flags);
  }
  // record_number() that makes no record: returns 0 if there is none.
  __attribute__((always_inline)) uint32_t find_record(uint64_t place, uint32_t first_thread, uint8_t extent,
                                                      uint8_t flags) const {
    const cached_record& cached = cache[hash_of(place, first_thread, extent, flags)];
    const bool is_it = cached.place == place && cached.tick == tick && cached.first_thread == first_thread &&
                       cached.extent == extent && cached.flags == flags;
    return is_it ? cached.number : 0;
  }

 private:
  static size_t hash_of(uint64_t place, uint32_t first_thread, uint8_t extent, uint8_t flags) {
    return ((place ^ place >> 52 ^ uint64_t{first_thread} << 3 ^ uint64_t{flags} << 7 ^ uint64_t{extent} << 5) *
            0x9e3779b97f4a7c15u) >>
           55;
  }
  void make_waits();
  uint32_t new_record(size_t cached, uint64_t place, uint32_t first_thread, uint8_t extent, uint8_t flags);
};

// The thread that makes an access.
struct accessor {
  block_clock* block;
  uint32_t thread;
  uint32_t warp() const { return thread / lanes_per_warp; }
  uint32_t lane() const { return thread % lanes_per_warp; }
};

// Returns the clock of a running block. The first call makes it.
block_clock& clock_of(tools::block_view b);
// Returns the block's clock; null if it was not made.
block_clock* find_clock(tools::block_view b);
// Calls `use` with the clock of each running block of the grid.
void for_each_clock(tools::grid_view g, const std::function<void(block_clock&)>& use);
void drop_clock(tools::block_view b);
// Drops the clocks of the launch's blocks. pre: all grids of the launch have ended
void end_launches(tools::launch_view launch);
// The number of the cluster that holds the block with this rank, in the grid of `b`.
uint32_t cluster_of_rank(tools::block_view b, uint32_t rank);

// The first rank of the aligned group of 1 << extent threads around a thread of the block.
inline uint32_t first_of(uint32_t thread, uint8_t extent) { return thread >> extent << extent; }

}  // namespace cohort::check
