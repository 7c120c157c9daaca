// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers beyond the block: those of the cluster, the grid and the multi-grid. A block arrives when its last lane
// arrives.
#pragma once

#include "engine/state/cluster.hpp"
#include "engine/sync/suspend.hpp"

namespace cohort::engine {

// Sends the block's arrival at `barrier`. Called by its last lane.
void send_arrival(block& b, int barrier);
// Opens complete outer barriers at which `b` waits. `runs`: a lane of the block runs.
void open_outer_barriers(block& b, bool runs);
// Sends the arrivals of `b` for which a lane that has returned was the last one missing.
void send_ready_arrivals(block& b);
// Removes the block from its cluster's barrier, and completes the phase if it was the last one missing. pre: all lanes
// of `b` have returned
void leave_cluster(block& b);

// Fails the launch if it has no group with this barrier. `op_name`: name of a collective; null for a plain barrier.
void check_launch_has(const block& b, int barrier, const void* place, const char* op_name = nullptr);
// Checks a wait at an outer barrier: the first of its kind in the block, and each one if the block uses split-phase
// barriers.
void check_outer_wait(int barrier, const void* place);

// Begins or joins a collective that ends at `barrier`, or fails the launch: the first wait of a phase, and each one if
// the block uses split-phase barriers.
void check_outer_team(int barrier, cohort_resolve_team resolve, const char* op_name, const void* place);

// Called by the last lane of the block to arrive: sends the block's arrival, then waits as the other lanes do.
template <class Switch>
__attribute__((noinline)) void send_arrival_and_wait(int barrier) {
  send_arrival(*running.warp->block, barrier);
  return suspend<Switch>();
}

template <class Switch>
inline void join_outer_barrier(int barrier) {
  warp* w = running.warp;
  block* b = w->block;
  const uint32_t block_thread_rank = current_lane()->thread_rank;
  const uint32_t bit = 1u << block_thread_rank % lanes_per_warp;
  b->waiting[barrier][block_thread_rank / lanes_per_warp] |= bit;
  w->at_wide |= bit;
  if (++b->outer_of(barrier).arrived == b->live) return send_arrival_and_wait<Switch>(barrier);
  return suspend<Switch>();
}

template <class Switch>
__attribute__((noinline)) void check_and_join_outer_barrier(int barrier, const void* place) {
  check_outer_wait(barrier, place);
  return join_outer_barrier<Switch>(barrier);
}

// Implements the waits at barriers beyond the block. Every path ends in a tail call.
template <class Switch>
inline void wait_outer(int barrier, const void* place) {
  note_place(place);
  block* b = running.warp->block;
  if (__builtin_expect(unsigned{!b->outer_of(barrier).allowed} | unsigned{b->splits.is_used()}, 0))
    return check_and_join_outer_barrier<Switch>(barrier, place);
  return join_outer_barrier<Switch>(barrier);
}

template <class Switch>
inline void join_outer_team(int barrier, void* operand) {
  running.warp->block->teams->operands[current_lane()->thread_rank] = operand;
  return join_outer_barrier<Switch>(barrier);
}

template <class Switch>
__attribute__((noinline)) void check_and_join_outer_team(int barrier, cohort_resolve_team resolve, void* operand,
                                                         const char* op_name, const void* place) {
  check_outer_team(barrier, resolve, op_name, place);
  return join_outer_team<Switch>(barrier, operand);
}

// Implements cohort_wait_outer_team. Every path ends in a tail call.
template <class Switch>
inline void wait_outer_team(int barrier, cohort_resolve_team resolve, void* operand, const char* op_name,
                            const void* place) {
  note_place(place);
  block* b = running.warp->block;
  if (__builtin_expect(unsigned{b->outer_of(barrier).resolve != resolve} | unsigned{b->splits.is_used()}, 0))
    return check_and_join_outer_team<Switch>(barrier, resolve, operand, op_name, place);
  return join_outer_team<Switch>(barrier, operand);
}

}  // namespace cohort::engine
