// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/gang/gang_split.hpp"

#include "engine/state/grid.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/gang/gang_lanes.hpp"
#include "engine/sync/gang/gang_team.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/split_phase.hpp"
#include "engine/sync/team.hpp"

namespace cohort::engine {

namespace {

[[noreturn]] __attribute__((cold, noinline)) void misuse(gang& g, uint32_t block_thread_rank, const void* place,
                                                         int barrier, const char* sentence) {
  g.name_thread(block_thread_rank);
  fail_at(place, error_launch_failure, "%s.%s", group_name_in(*current_worker()->grid, barrier), sentence);
}

uint32_t phase_of(block& b, int barrier, uint32_t block_thread_rank) {
  if (barrier == cohort_barrier_block) return b.barrier.phase;
  if (barrier > cohort_barrier_block) return b.outer_of(barrier).phase;
  return teams_of(b).teams[tile_index(barrier, block_thread_rank)].phase;
}

// Begins an arrival or a wait: the table of split-phase barriers exists, and phases that are complete have been seen.
gang& begin_split(int barrier, const uint32_t* lanes, const void* place) {
  gang& self = begin_gang_wait(lanes);
  block& b = *self.table->block;
  name_lowest_lane(self);
  check_launch_has(b, barrier, place);
  if (!b.splits.is_used()) b.splits.use() = {};
  if (barrier > cohort_barrier_block) open_outer_barriers(b, false);
  return self;
}

}  // namespace

void refuse_gang_between_arrive_and_wait(gang& g, int barrier, uint32_t word, const void* place) {
  const block& b = *g.table->block;
  if (!b.splits.is_used()) return;
  const split_lanes& s = b.splits->warps[g.first_warp + word];
  const uint32_t between = (s.arrived[barrier] | s.passed[barrier]) & g.live[word];
  if (between) misuse(g, lowest_rank(g, word, between), place, barrier, sync_between_arrive_and_wait);
}

uint32_t gang_arrive(int barrier, const uint32_t* lanes, const char* op_name, const void* place) {
  gang& self = begin_split(barrier, lanes, place);
  block& b = *self.table->block;
  for (uint32_t word = 0; word < self.table->words; ++word) {
    split_lanes& s = b.splits->warps[self.first_warp + word];
    const uint32_t twice = (s.arrived[barrier] | s.passed[barrier]) & self.live[word];
    if (twice) {
      misuse(self, lowest_rank(self, word, twice), place, barrier,
             "barrier_arrive() twice without a barrier_wait() in between");
    }
    s.arrived[barrier] |= self.live[word];
  }
  const uint32_t token = phase_of(b, barrier, self.thread_rank);
  if (barrier < cohort_barrier_block) {
    arrive_at_tiles(self, barrier, op_name, place);
  } else if (barrier > cohort_barrier_block) {
    outer_barrier& outer = b.outer_of(barrier);
    outer.arrived += self.live_count;
    if (outer.arrived == b.live) send_arrival(b, barrier);
  }
  return token;
}

void gang_wait_token(int barrier, const uint32_t* tokens, const uint32_t* lanes, const void* place) {
  gang& self = begin_split(barrier, lanes, place);
  block& b = *self.table->block;
  bool waits = false;
  for (uint32_t word = 0; word < self.table->words; ++word) {
    warp& w = b.warps[self.first_warp + word];
    split_lanes& s = b.splits->warps[self.first_warp + word];
    const uint32_t passes = s.passed[barrier] & self.live[word];
    const uint32_t waiting = self.live[word] & ~passes;
    if (const uint32_t absent = waiting & ~s.arrived[barrier]) {
      misuse(self, lowest_rank(self, word, absent), place, barrier,
             "barrier_wait() without a barrier_arrive() before it: each token can be used once");
    }
    for (uint32_t left = self.live[word]; left; left &= left - 1) {
      const uint32_t rank = lowest_rank(self, word, left);
      const uint32_t token = tokens[rank - self.shape.first_rank];
      if (token == COHORT_NEWEST_ARRIVAL) continue;
      if (token != phase_of(b, barrier, rank) - (passes >> lowest(left) & 1)) {
        misuse(self, rank, place, barrier, "barrier_wait() with the token of another phase or of another barrier");
      }
    }
    s.passed[barrier] &= ~passes;
    s.arrived[barrier] &= ~waiting;
    if (passes) raise_event(phase_passed{{&w, passes}});
    if (waiting && barrier != cohort_barrier_block) add_waiting(self, barrier, word, waiting);
    waits |= waiting != 0;
  }
  if (waits) suspend_gang_at(place);
}

}  // namespace cohort::engine
