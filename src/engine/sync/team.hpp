// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and collectives of teams: tiles of 64 to 1024 threads, and the block. A tile counts its arrivals, and the
// last lane to arrive resolves the collective. A lane that waits for the block stores nothing: see block_phase.hpp.
#pragma once

#include "engine/sync/split_phase.hpp"
#include "engine/sync/suspend.hpp"

namespace cohort::engine {

// The block's teams, set up at their first use.
team_table& teams_of(block& b);
// Completes a tile: runs the resolve function and makes the waiting lanes ready. `runs`: a lane of the block runs. pre:
// all threads of the tile have arrived
void complete_tile(block& b, const team_slot& slot, bool runs);
// Withdraws lane `l`, which has returned, from its tiles. Completes the phases in which it was the last one missing.
void leave_teams(block& b, const lane& l);

// Fails the launch: other threads of the group wait in another collective, `pending`.
[[noreturn]] void refuse_other_collective(const void* place, const char* op_name, const char* group,
                                          const char* pending);
// Sets up the block's teams, and makes the checks that only blocks with split-phase barriers need.
void prepare_tile(int barrier, const void* place);
void complete_tile_of(int barrier, uint32_t block_thread_rank);

// Waits in a tile. Takes the address of no local variable: otherwise the compiler could not make the last calls tail
// calls.
template <class Switch>
__attribute__((noinline)) void wait_tile(int barrier, cohort_resolve_team resolve, void* operand, const char* op_name,
                                         const void* place) {
  warp* w = running.warp;
  block* b = w->block;
  if (__builtin_expect(unsigned{!b->teams.is_used()} | unsigned{b->splits.is_used()}, 0)) prepare_tile(barrier, place);
  team_table* table = b->teams.get();
  const uint32_t block_thread_rank = current_lane()->thread_rank;
  team* t = &table->teams[tile_index(barrier, block_thread_rank)];
  if (t->arrived == 0) {
    t->resolve = resolve;
    t->op_name = op_name;
  } else if (__builtin_expect(t->resolve != resolve, 0)) {
    refuse_other_collective(place, op_name, group_name(barrier), t->op_name);
  }
  table->operands[block_thread_rank] = operand;
  if (++t->arrived == t->live) return complete_tile_of(barrier, block_thread_rank);
  const uint32_t bit = 1u << block_thread_rank % lanes_per_warp;
  b->waiting[barrier][block_thread_rank / lanes_per_warp] |= bit;
  w->at_wide |= bit;
  return suspend<Switch>();
}

// Waits in the block's collective. Like the block's barrier, the collective completes when no lane that could still
// arrive is left.
template <class Switch>
inline void join_block_collective(void* operand) {
  warp* w = running.warp;
  const uint32_t block_thread_rank = current_lane()->thread_rank;
  w->block->teams->operands[block_thread_rank] = operand;
  w->in_collective |= 1u << block_thread_rank % lanes_per_warp;
  return suspend<Switch>();
}

template <class Switch>
__attribute__((noinline)) void begin_block_collective(cohort_resolve_team resolve, void* operand, const char* op_name,
                                                      const void* place) {
  block& b = *running.warp->block;
  if (b.barrier.resolve) refuse_other_collective(place, op_name, group_name(cohort_barrier_block), b.barrier.op_name);
  teams_of(b);
  b.barrier.resolve = resolve;
  b.barrier.op_name = op_name;
  return join_block_collective<Switch>(operand);
}

template <class Switch>
inline void wait_block(const void* place) {
  note_place(place);
  return suspend<Switch>();
}

// Waits at the block's barrier. Returns how many of its threads passed a true predicate.
inline uint32_t wait_block_vote(block_vote vote, bool predicate, const void* place) {
  block* b = current_lane()->warp->block;
  b->barrier.true_count += predicate;
  ++b->barrier.voting;
  ++b->barrier.votes[static_cast<int>(vote)];
  suspend_at(place);
  return b->barrier.last_count;
}

// Implements cohort_wait_team. Every path ends in a tail call.
template <class Switch>
inline void wait_team(uint32_t size, cohort_resolve_team resolve, void* operand, const char* op_name,
                      const void* place) {
  note_place(place);
  if (size) return wait_tile<Switch>(barrier_of_tile(size), resolve, operand, op_name, place);
  if (!resolve) return suspend<Switch>();
  if (__builtin_expect(running.warp->block->barrier.resolve != resolve, 0)) {
    return begin_block_collective<Switch>(resolve, operand, op_name, place);
  }
  return join_block_collective<Switch>(operand);
}

}  // namespace cohort::engine
