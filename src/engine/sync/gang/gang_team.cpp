// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/gang/gang_team.hpp"

#include <algorithm>

#include "engine/state/grid.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/gang/gang_lanes.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/split_phase.hpp"
#include "engine/sync/team.hpp"

namespace cohort::engine {

namespace {

// The words of a gang in one team.
struct team_part {
  team_slot slot;
  uint32_t first_word;
  uint32_t end_word;
  uint32_t live = 0;  // lanes of these words that have not returned
};

team_part part_at(const gang& g, int barrier, uint32_t word) {
  const block& b = *g.table->block;
  team_part part{slot_of(b.threads_total, barrier, g.shape.first_rank + word * lanes_per_warp), word, word};
  const uint32_t end_warp = (part.slot.first + part.slot.count + lanes_per_warp - 1) / lanes_per_warp;
  const uint32_t warps = g.table->warps_of(g);
  part.end_word = std::min(end_warp - g.first_warp, warps);
  if (word == 0 && part.end_word == warps) {
    part.live = g.live_count;
    return part;
  }
  for (; word < part.end_word; ++word) part.live += static_cast<uint32_t>(__builtin_popcount(g.live[word]));
  return part;
}

// Calls `with(part)` for each team of `barrier` in which the gang has live lanes.
template <class Function>
void for_each_team(gang& g, int barrier, Function with) {
  for (uint32_t word = 0; word < g.table->warps_of(g);) {
    const team_part part = part_at(g, barrier, word);
    if (part.live) with(part);
    word = part.end_word;
  }
}

void store_operands(gang& g, const team_part& part, void* const* operands) {
  for (uint32_t word = part.first_word; word < part.end_word; ++word) {
    void** slots = g.table->block->teams->operands + g.shape.first_rank + word * lanes_per_warp;
    if (operands && g.live[word] == ~0u) {
      std::copy_n(operands + word * lanes_per_warp, lanes_per_warp, slots);
      continue;
    }
    for (uint32_t left = g.live[word]; left; left &= left - 1) {
      const uint32_t lane = lowest(left);
      slots[lane] = operands ? operands[word * lanes_per_warp + lane] : nullptr;
    }
  }
}

void run_resolve(gang& g, const team_part& part, cohort_resolve_team resolve, void* const* operands) {
  if (!resolve) return;
  const acting_lane acting(g);
  const resolving now(*g.table->block->worker);
  resolve(part.slot.count, operands + part.slot.first - g.shape.first_rank);
}

// Counts the arrival of the gang's part of a tile. Completes the tile if it was the last part.
void join_tile(gang& g, const team_part& part, cohort_resolve_team resolve, void* const* operands, const char* op_name,
               const void* place) {
  block& b = *g.table->block;
  const int barrier = part.slot.barrier;
  for (uint32_t word = part.first_word; word < part.end_word; ++word) {
    refuse_gang_between_arrive_and_wait(g, barrier, word, place);
  }
  team& t = b.teams->teams[part.slot.index];
  if (part.live == part.slot.count) {  // all threads of the tile are in this gang, so none has arrived before
    ++t.phase;
    run_resolve(g, part, resolve, operands);
    b.worker->advance();
    return raise_event(tile_synchronised{&b, part.slot.first, part.slot.count});
  }
  if (t.arrived == 0) {
    t.resolve = resolve;
    t.op_name = op_name;
  } else if (t.resolve != resolve) {
    for (uint32_t word = part.end_word; word-- > part.first_word;) {
      if (g.live[word]) g.name_thread(lowest_rank(g, word, g.live[word]));
    }
    refuse_other_collective(place, op_name, group_name(barrier), t.op_name);
  }
  store_operands(g, part, operands);
  t.arrived += part.live;
  if (t.arrived == t.live) {
    const acting_lane acting(g);
    return complete_tile(b, part.slot, false);
  }
  for (uint32_t word = part.first_word; word < part.end_word; ++word) add_waiting(g, barrier, word, g.live[word]);
}

// Joins the block's collective. False: the gang has all threads of the block and need not wait.
bool join_block(gang& g, cohort_resolve_team resolve, void* const* operands, const char* op_name, const void* place) {
  block& b = *g.table->block;
  teams_of(b);
  const team_part part = part_at(g, cohort_barrier_block, 0);
  if (part.live == b.threads_total && !b.splits.is_used()) {
    run_resolve(g, part, resolve, operands);
    ++b.barrier.phase;
    b.worker->advance();
    raise_event(block_synchronised{&b});
    return false;
  }
  if (b.barrier.resolve && b.barrier.resolve != resolve) {
    name_lowest_lane(g);
    refuse_other_collective(place, op_name, group_name(cohort_barrier_block), b.barrier.op_name);
  }
  b.barrier.resolve = resolve;
  b.barrier.op_name = op_name;
  store_operands(g, part, operands);
  g.table->warps_changed = true;
  for (uint32_t word = 0; word < part.end_word; ++word) b.warps[g.first_warp + word].in_collective |= g.live[word];
  return true;
}

// True if the gang must wait. Separate from gang_wait_team(), which ends in a tail call.
__attribute__((noinline)) bool join_team(uint32_t size, cohort_resolve_team resolve, void* const* operands,
                                         const uint32_t* lanes, const char* op_name, const void* place) {
  gang& self = begin_gang_wait(lanes);
  if (size == 0) return !resolve || join_block(self, resolve, operands, op_name, place);
  teams_of(*self.table->block);
  for_each_team(self, barrier_of_tile(size),
                [&](const team_part& part) { join_tile(self, part, resolve, operands, op_name, place); });
  return self.table->wide & self.bit;
}

}  // namespace

void gang_wait_team(uint32_t size, cohort_resolve_team resolve, void* const* operands, const uint32_t* lanes,
                    const char* op_name, const void* place) {
  note_place(place);
  if (!join_team(size, resolve, operands, lanes, op_name, place)) return;
  return suspend_gang<full_switch>();
}

void arrive_at_tiles(gang& g, int barrier, const char* op_name, const void* place) {
  block& b = *g.table->block;
  teams_of(b);
  for_each_team(g, barrier, [&](const team_part& part) {
    team& t = b.teams->teams[part.slot.index];
    if (t.arrived == 0) {
      t.resolve = nullptr;
      t.op_name = op_name;
    } else if (t.resolve) {
      g.name_thread(part.slot.first);
      fail_at(place, error_launch_failure, "%s.%s", group_name(barrier),
              "barrier_arrive() while other threads of the group wait in another collective");
    }
    t.arrived += part.live;
    if (t.arrived != t.live) return;
    const acting_lane acting(g);
    complete_tile(b, part.slot, false);
  });
}

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

// Begins an arrival or a wait: makes the table of split-phase barriers, and updates the complete phases.
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
