// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The waits of port.hpp for all lanes of a gang at once. `lanes`: the calling lanes; null: all live ones. `place`:
// source place of the call.
#pragma once

#include "engine/sync/gang/retire_lanes.hpp"
#include "engine/sync/gang/suspend_gang.hpp"

namespace cohort::engine {

template <class Switch>
__attribute__((noinline)) void retire_and_wait_block(const uint32_t* lanes) {
  retire_lanes(*current_gang(), lanes);
  return suspend_gang<Switch>();
}

// Waits at the block's barrier. Every path ends in a tail call.
template <class Switch>
inline void gang_wait_block(const uint32_t* lanes, const void* place) {
  note_place(place);
  if (__builtin_expect(!are_live_lanes(*current_gang(), lanes), 0)) return retire_and_wait_block<Switch>(lanes);
  return suspend_gang<Switch>();
}

// Waits at the block's barrier. Returns how many of its threads passed a set bit, or a clear one for block_vote::all.
uint32_t gang_wait_block_vote(block_vote vote, const uint32_t* predicates, const uint32_t* lanes, const void* place);
// Fails the launch: the mask of a lane of the running gang does not name the lane.
[[noreturn]] void gang_refuse_mask(uint32_t lane_number, uint32_t mask, const char* op_name, const void* place);
// Waits at a barrier beyond the block.
void gang_wait_outer(int barrier, const uint32_t* lanes, const void* place);
// Suspends the gang, of which `lanes` poll memory, until other gangs and blocks have run. Missing lanes have not
// returned: they can do nothing before `lanes` go on.
void gang_wait_yield(const uint32_t* lanes, const void* place);

}  // namespace cohort::engine
