// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams: tiles of 64 to 1024 threads, the whole block where it exchanges values, and the threads that synchronise at a
// named barrier or wait at an mbarrier.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstdint>

#include "engine/state/warp.hpp"

namespace cohort::engine {

struct team {
  uint32_t arrived;  // lanes that have arrived in the current phase
  uint32_t live;     // lanes that have not returned
  uint32_t phase;    // phases that are complete
  cohort_resolve_team resolve;
  const char* op_name;
};

constexpr uint32_t most_teams = 32;  // 16 tiles of 64, 8 of 128, ... 1 of 1024, and the block

struct team_table {
  team teams[most_teams];
  void* operands[1024];  // index: thread rank
};

// The barriers that count predicates: __syncthreads_count, _and, _or, and bar.red.
enum class block_vote : uint8_t { count, all, any };
constexpr int block_votes = 3;

// A named barrier: the program gives its number and its count of threads (`bar.sync 1, 64`). Index of arrays: the warp.
struct named_barrier {
  uint32_t threads;  // threads that complete the current phase; 0: all threads of the block that have not returned
  uint32_t arrived[warps_per_block];
  uint32_t waiting[warps_per_block];  // lanes of `arrived` that wait
  uint32_t true_count;                // lanes of the current phase with a true predicate
  int vote;                           // a block_vote or not_voting, for all lanes of the current phase
};
constexpr int not_voting = -1;
constexpr uint32_t most_named_barriers = 16;

struct named_table {
  named_barrier barriers[most_named_barriers];
  uint32_t true_counts[1024];  // index: thread rank; the count of the last phase that the thread has waited for
};

// A lane waits for a phase of an mbarrier, a word in shared memory that holds its own state.
struct mbarrier_wait {
  const uint64_t* word;
  uint32_t phase;  // modulo 4, the current one when the lane began to wait
  bool is_over;    // the phase is complete
};

struct mbarrier_table {
  uint32_t waiting[warps_per_block];
  uint32_t trying[warps_per_block];  // lanes of `waiting` that return without success when nothing else can run
  mbarrier_wait waits[1024];         // indexed by thread rank
};

// A team of a block.
struct team_slot {
  int barrier;     // cohort_barrier_tile_64 ... cohort_barrier_block
  uint32_t index;  // index in team_table::teams
  uint32_t first;  // lowest thread rank
  uint32_t count;  // threads, including those that have returned
};

inline uint32_t tile_size(int barrier) { return 64u << barrier; }
// The barrier of tiles of `size` threads.
inline int barrier_of_tile(uint32_t size) { return __builtin_ctz(size) - 6; }
// Index of a thread's tile in team_table::teams. pre: barrier < cohort_barrier_block
inline uint32_t tile_index(int barrier, uint32_t block_thread_rank) {
  return most_teams - (most_teams >> barrier) + (block_thread_rank >> (6 + barrier));
}
// The team of a thread, in a block of `threads` threads. pre: barrier <= cohort_barrier_block
inline team_slot slot_of(uint32_t threads, int barrier, uint32_t block_thread_rank) {
  if (barrier == cohort_barrier_block) return {barrier, most_teams - 1, 0, threads};
  const uint32_t size = tile_size(barrier);
  const uint32_t first = block_thread_rank & ~(size - 1);
  const uint32_t left = threads - first;
  return {barrier, tile_index(barrier, block_thread_rank), first, left < size ? left : size};
}

// The name of a barrier's group in reports.
inline const char* group_name(int barrier) {
  static const char* const names[] = {
      "thread_block_tile<64>",   "thread_block_tile<128>", "thread_block_tile<256>", "thread_block_tile<512>",
      "thread_block_tile<1024>", "thread_block",           "cluster_group",          "grid_group",
      "multi_grid_group"};
  return names[barrier];
}

}  // namespace cohort::engine
