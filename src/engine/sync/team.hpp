// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams: tiles of 64 to 1024 threads, and the whole block where it exchanges values. Any number of them at once.
#pragma once

#include <cstdint>

#include "../state/block.hpp"

namespace cohort::engine {

struct team {
  uint32_t arrived;  // threads, in the phase that fills
  uint32_t live;     // threads that have not returned
  uint32_t phase;    // how many are complete
  cohort_resolve_team resolve;
  const char* operation;  // for reports
};

// All teams that a block can have: 16 tiles of 64, 8 of 128, ... 1 of 1024, and the block.
struct team_table {
  team teams[32];
  void* operands[1024];
};

// A thread's team: which barrier, which team of that kind, and its threads.
struct team_place {
  int barrier;     // cohort_barrier_tile_64 ... cohort_barrier_block
  uint32_t index;  // in team_table::teams
  uint32_t first;  // rank in the block
  uint32_t count;  // threads, with those that have returned
};

inline uint32_t tile_size(int barrier) { return 64u << barrier; }
inline int barrier_of_size(uint32_t size) {
  return size == 0 ? static_cast<int>(cohort_barrier_block) : __builtin_ctz(size) - 6;
}
// In team_table::teams, of the tile of thread `rank`. pre: barrier < cohort_barrier_block
inline uint32_t team_index(int barrier, uint32_t rank) { return 32 - (32u >> barrier) + (rank >> (6 + barrier)); }
// pre: barrier <= cohort_barrier_block
inline team_place place_in(const block& b, int barrier, uint32_t rank) {
  if (barrier == cohort_barrier_block) return {barrier, 31, 0, b.threads_total};
  const uint32_t size = tile_size(barrier);
  const uint32_t first = rank & ~(size - 1);
  const uint32_t left = b.threads_total - first;
  return {barrier, team_index(barrier, rank), first, left < size ? left : size};
}

// The block's teams, made ready at their first use.
team_table& teams_of(block& b);
// All threads of the team have arrived: resolves, and lets those that wait go on. `runs`: called by a running thread.
void complete_team(block& b, const team_place& p, bool runs);
// A thread has returned: its teams no longer wait for it.
void leave_teams(block& b, const thread& t);

}  // namespace cohort::engine
