// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/gang/gang_wait.hpp"

#include "engine/sync/gang/gang_lanes.hpp"
#include "engine/sync/gang/gang_team.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/rendezvous.hpp"
#include "engine/sync/split_phase.hpp"

namespace cohort::engine {

uint32_t gang_wait_block_vote(block_vote vote, const uint32_t* predicates, const uint32_t* lanes, const void* place) {
  const gang& self = begin_gang_wait(lanes);
  const block& b = *self.table->block;
  block_barrier& barrier = self.table->block->barrier;
  for (uint32_t word = 0; word < self.table->words; ++word) {
    const uint32_t counted = vote == block_vote::all ? ~predicates[word] : predicates[word];
    barrier.true_count += static_cast<uint32_t>(__builtin_popcount(counted & self.live[word]));
  }
  barrier.voting += self.live_count;
  barrier.votes[static_cast<int>(vote)] += self.live_count;
  suspend_gang_at(place);
  return b.barrier.last_count;
}

void gang_refuse_mask(uint32_t lane_number, uint32_t mask, const char* op_name, const void* place) {
  gang& self = *current_gang();
  self.name_thread(self.shape.first_rank + lane_number);
  refuse_mask(lane_number % lanes_per_warp, mask, op_name, place);
}

namespace {

// Separate from gang_wait_outer(), which ends in a tail call.
__attribute__((noinline)) void join_outer(int barrier, const uint32_t* lanes, const void* place) {
  gang& self = begin_gang_wait(lanes);
  block& b = *self.table->block;
  name_lowest_lane(self);
  check_launch_has(b, barrier, place);
  for (uint32_t word = 0; word < self.table->words; ++word) {
    if (!self.live[word]) continue;
    refuse_gang_between_arrive_and_wait(self, barrier, word, place);
    add_waiting(self, barrier, word, self.live[word]);
  }
  outer_barrier& outer = b.outer_of(barrier);
  outer.arrived += self.live_count;
  if (outer.arrived == b.live) send_arrival(b, barrier);
}

}  // namespace

void gang_wait_outer(int barrier, const uint32_t* lanes, const void* place) {
  note_place(place);
  join_outer(barrier, lanes, place);
  return suspend_gang<full_switch>();
}

void gang_wait_yield(const uint32_t* lanes, const void* place) {
  gang& self = *current_gang();
  for (uint32_t word = 0; word < self.table->warps_of(self); ++word) {
    self.table->block->warps[self.first_warp + word].spinning |= lanes ? lanes[word] : self.live[word];
  }
  self.table->wide |= self.bit;
  self.table->warps_changed = true;
  suspend_gang_at(place);
}

}  // namespace cohort::engine
