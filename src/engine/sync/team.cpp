// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/team.hpp"

namespace cohort::engine {

team_table& teams_of(block& b) {
  if (b.teams.is_used()) return *b.teams;
  team_table& table = b.teams.use();
  for (team& t : table.teams) t = {};
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    const uint32_t live = static_cast<uint32_t>(__builtin_popcount(b.warps[i].live));
    for (int barrier = cohort_barrier_tile_64; barrier <= cohort_barrier_block; ++barrier) {
      table.teams[slot_of(b.threads_total, barrier, i * lanes_per_warp).index].live += live;
    }
  }
  for (uint32_t rank = 0; rank < b.threads_total; ++rank) table.operands[rank] = nullptr;
  return table;
}

void complete_tile(block& b, const team_slot& slot, bool runs) {
  team& t = b.teams->teams[slot.index];
  const cohort_resolve_team resolve = t.resolve;
  t.arrived = 0;
  t.resolve = nullptr;
  ++t.phase;
  if (resolve) {
    const resolving now(*b.worker);
    resolve(slot.count, b.teams->operands + slot.first);
  }
  const uint32_t end_warp = (slot.first + slot.count + lanes_per_warp - 1) / lanes_per_warp;
  release_waiting(b, slot.barrier, slot.first / lanes_per_warp, end_warp, runs);
  raise_event(tile_synchronised{&b, slot.first, slot.count});
}

void leave_teams(block& b, const lane& l) {
  b.teams->operands[l.thread_rank] = nullptr;
  for (int barrier = cohort_barrier_tile_64; barrier <= cohort_barrier_block; ++barrier) {
    const team_slot slot = slot_of(b.threads_total, barrier, l.thread_rank);
    team& t = b.teams->teams[slot.index];
    --t.live;
    if (t.arrived && t.arrived == t.live) complete_tile(b, slot, false);
  }
}

__attribute__((noinline, cold)) void refuse_other_collective(const void* place, const char* op_name, const char* group,
                                                             const char* pending) {
  fail_at(place, error_launch_failure, "%s of a %s while other threads of the group wait in %s", op_name, group,
          pending);
}

__attribute__((noinline)) void prepare_tile(int barrier, const void* place) {
  block& b = *running.warp->block;
  teams_of(b);
  refuse_between_arrive_and_wait(b, *running.warp, current_lane()->bit(), barrier, place);
}

__attribute__((noinline)) void complete_tile_of(int barrier, uint32_t block_thread_rank) {
  block& b = *running.warp->block;
  complete_tile(b, slot_of(b.threads_total, barrier, block_thread_rank), true);
}

}  // namespace cohort::engine
