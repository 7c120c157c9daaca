// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams: tiles of 64 to 1024 threads, and the whole block where it exchanges values.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstdint>

namespace cohort::engine {

struct team {
  uint32_t arrived;  // lanes, in the current phase
  uint32_t live;     // lanes that have not returned
  uint32_t phase;    // phases that are complete
  cohort_resolve_team resolve;
  const char* op_name;
};

constexpr uint32_t most_teams = 32;  // 16 tiles of 64, 8 of 128, ... 1 of 1024, and the block

struct team_table {
  team teams[most_teams];
  void* operands[1024];  // by thread rank
};

// A team of a block.
struct team_slot {
  int barrier;     // cohort_barrier_tile_64 ... cohort_barrier_block
  uint32_t index;  // in team_table::teams
  uint32_t first;  // lowest thread rank
  uint32_t count;  // threads, including those that have returned
};

inline uint32_t tile_size(int barrier) { return 64u << barrier; }
// pre: `size` is that of a tile
inline int barrier_of_tile(uint32_t size) { return __builtin_ctz(size) - 6; }
// Index in team_table::teams. pre: barrier < cohort_barrier_block
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
