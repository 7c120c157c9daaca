// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "team.hpp"

#include "../execute/worker.hpp"
#include "split_phase.hpp"
#include "suspend.hpp"

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

void resolve_collective(block& b) {
  const cohort_resolve_team resolve = b.collective;
  b.collective = nullptr;
  for (uint32_t i = 0; i < b.warp_count; ++i) b.warps[i].in_collective = 0;
  const resolving now(*b.worker);
  resolve(b.threads_total, b.teams->operands);
}

void complete_team(block& b, const team_place& p, bool runs) {
  team& t = b.teams->teams[p.index];
  const cohort_resolve_team resolve = t.resolve;
  t.arrived = 0;
  t.resolve = nullptr;
  ++t.phase;
  if (resolve) {
    const resolving now(*b.worker);
    resolve(p.count, b.teams->operands + p.first);
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

using namespace cohort::engine;

namespace {

[[noreturn]] __attribute__((noinline, cold)) void refuse_other_collective(const void* place, const char* operation,
                                                                          int barrier, const char* pending) {
  fail_at(place, cohort::error_launch_failure, "%s of a %s while other threads of the group wait in %s", operation,
          name_of(barrier), pending);
}

// The first use of teams by this block, and what only matters where barriers come apart.
__attribute__((noinline)) void prepare_tile(int barrier, const void* place) {
  block& b = *running.warp->block;
  teams_of(b);
  check_not_between_halves(b, *running.warp, current_thread()->lane_bit(), barrier, place);
}

__attribute__((noinline)) void complete_tile(int barrier, uint32_t rank) {
  block& b = *running.warp->block;
  complete_team(b, place_in(b, barrier, rank), true);
}

// No local whose address is taken, so that the waits at the end are jumps.
template <class Switch>
__attribute__((noinline)) void wait_tile(int barrier, cohort_resolve_team resolve, void* operand, const char* operation,
                                         const void* place) {
  warp* w = running.warp;
  block* b = w->block;
  if (__builtin_expect(!b->teams_used | b->splits_used, 0)) prepare_tile(barrier, place);
  team_table* table = b->teams.get();
  const uint32_t rank = current_thread()->thread_rank;
  team* t = &table->teams[team_index(barrier, rank)];
  if (t->arrived == 0) {
    t->resolve = resolve;
    t->operation = operation;
  } else if (__builtin_expect(t->resolve != resolve, 0)) {
    refuse_other_collective(place, operation, barrier, t->operation);
  }
  table->operands[rank] = operand;
  if (++t->arrived == t->live) return complete_tile(barrier, rank);
  const uint32_t bit = 1u << rank % lanes_per_warp;
  b->waiting[barrier][rank / lanes_per_warp] |= bit;
  w->at_wide |= bit;
  return suspend<Switch>();
}

// The block's barrier, with something to resolve. Like the barrier it is full when nobody is left who could still come.
template <class Switch>
inline void join_collective(void* operand) {
  warp* w = running.warp;
  const uint32_t rank = current_thread()->thread_rank;
  w->block->teams->operands[rank] = operand;
  w->in_collective |= 1u << rank % lanes_per_warp;
  return suspend<Switch>();
}

template <class Switch>
__attribute__((noinline)) void begin_collective(cohort_resolve_team resolve, void* operand, const char* operation,
                                                const void* place) {
  block& b = *running.warp->block;
  if (b.collective) refuse_other_collective(place, operation, cohort_barrier_block, b.collective_operation);
  teams_of(b);
  b.collective = resolve;
  b.collective_operation = operation;
  return join_collective<Switch>(operand);
}

// Here too each way ends in a jump.
template <class Switch>
inline void wait_team(uint32_t size, cohort_resolve_team resolve, void* operand, const char* operation,
                      const void* place) {
  if (size) return wait_tile<Switch>(barrier_of_size(size), resolve, operand, operation, place);
  if (!resolve) return suspend<Switch>();
  if (__builtin_expect(running.warp->block->collective != resolve, 0)) {
    return begin_collective<Switch>(resolve, operand, operation, place);
  }
  return join_collective<Switch>(operand);
}

}  // namespace

extern "C" {

// Called by switch_entry_*.S.
void cohort_wait_team_unsaved(uint32_t size, cohort_resolve_team resolve, void* operand, const char* operation);

void cohort_wait_team(uint32_t size, cohort_resolve_team resolve, void* operand, const char* operation) {
  COHORT_NOTE_PLACE();
  return wait_team<full_switch>(size, resolve, operand, operation, __builtin_return_address(0));
}

void cohort_wait_team_unsaved(uint32_t size, cohort_resolve_team resolve, void* operand, const char* operation) {
  COHORT_NOTE_PLACE();
  return wait_team<light_switch>(size, resolve, operand, operation, __builtin_return_address(0));
}

}  // extern "C"
