// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "team.hpp"

#include "split.hpp"
#include "worker.hpp"

namespace cohort::engine {

team_table& teams_of(block& b) {
  if (b.teams_used) return *b.teams;
  if (!b.teams) b.teams = std::make_unique<team_table>();
  for (team& t : b.teams->teams) t = {};
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    const uint32_t live = static_cast<uint32_t>(__builtin_popcount(b.warps[i].live));
    for (int barrier = cohort_barrier_tile_64; barrier <= cohort_barrier_block; ++barrier) {
      b.teams->teams[place_in(b, barrier, i * lanes_per_warp).index].live += live;
    }
  }
  for (uint32_t rank = 0; rank < b.threads_total; ++rank) b.teams->operands[rank] = nullptr;
  b.teams_used = true;
  return *b.teams;
}

void complete_team(block& b, const team_place& p, bool runs) {
  team& t = b.teams->teams[p.index];
  const cohort_resolve_team resolve = t.resolve;
  t.arrived = 0;
  t.resolve = nullptr;
  ++t.phase;
  if (resolve) {
    b.worker->resolving = true;
    resolve(p.count, b.teams->operands + p.first);
    b.worker->resolving = false;
  }
  open_barrier(b, p.barrier, p.first / lanes_per_warp, (p.first + p.count + lanes_per_warp - 1) / lanes_per_warp, runs);
}

void leave_teams(block& b, const thread& t) {
  b.teams->operands[t.thread_rank] = nullptr;
  for (int barrier = cohort_barrier_tile_64; barrier <= cohort_barrier_block; ++barrier) {
    const team_place p = place_in(b, barrier, t.thread_rank);
    team& mine = b.teams->teams[p.index];
    --mine.live;
    if (mine.arrived && mine.arrived == mine.live) complete_team(b, p, false);
  }
}

}  // namespace cohort::engine
