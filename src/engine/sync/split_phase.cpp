// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/split_phase.hpp"

#include "engine/state/grid.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/team.hpp"

namespace cohort::engine {

namespace {

constexpr const char* arrive_in_other_collective =
    "barrier_arrive() while other threads of the group wait in another collective";

split_lanes& lanes_of(block& b, const warp& w) {
  if (!b.splits.is_used()) b.splits.use() = {};
  return b.splits->warps[&w - b.warps];
}

[[noreturn]] __attribute__((cold, noinline)) void misuse(const void* place, int barrier, const char* sentence) {
  fail_at(place, error_launch_failure, "%s.%s", group_name_in(*current_worker()->grid, barrier), sentence);
}

team_slot slot_of_current_lane(const block& b, int barrier) {
  return slot_of(b.threads_total, barrier, current_lane()->thread_rank);
}

// The current phase of the caller's barrier, which is not complete.
uint32_t current_phase(block& b, int barrier) {
  if (barrier == cohort_barrier_block) return b.barrier.phase;
  if (barrier > cohort_barrier_block) return b.outer_of(barrier).phase;
  return teams_of(b).teams[slot_of_current_lane(b, barrier).index].phase;
}

void arrive_at_tile(block& b, int barrier, const char* op_name, const void* place) {
  team_table& table = teams_of(b);
  const team_slot slot = slot_of_current_lane(b, barrier);
  team& t = table.teams[slot.index];
  if (t.arrived == 0) {
    t.resolve = nullptr;
    t.op_name = op_name;
  } else if (t.resolve) {
    misuse(place, barrier, arrive_in_other_collective);
  }
  if (++t.arrived == t.live) complete_tile(b, slot, true);
}

}  // namespace

void refuse_between_arrive_and_wait(block& b, const warp& w, uint32_t bit, int barrier, const void* place) {
  if (!b.splits.is_used()) return;
  const split_lanes& s = b.splits->warps[&w - b.warps];
  if ((s.arrived[barrier] | s.passed[barrier]) & bit) misuse(place, barrier, sync_between_arrive_and_wait);
}

uint32_t arrive(int barrier, const char* op_name, const void* place) {
  const lane* self = current_lane();
  block& b = *self->warp->block;
  const uint32_t bit = self->bit();
  if (b.worker->resolving) misuse(place, barrier, "barrier_arrive() by the operator of a collective");
  check_launch_has(b, barrier, place);
  split_lanes& s = lanes_of(b, *self->warp);
  if (barrier > cohort_barrier_block) open_outer_barriers(b, true);
  if ((s.arrived[barrier] | s.passed[barrier]) & bit) {
    misuse(place, barrier, "barrier_arrive() twice without a barrier_wait() in between");
  }
  s.arrived[barrier] |= bit;
  const uint32_t token = current_phase(b, barrier);
  if (barrier < cohort_barrier_block) {
    arrive_at_tile(b, barrier, op_name, place);
  } else if (barrier > cohort_barrier_block) {
    outer_barrier& outer = b.outer_of(barrier);
    if (outer.resolve) misuse(place, barrier, arrive_in_other_collective);
    if (++outer.arrived == b.live) send_arrival(b, barrier);
  }
  return token;
}

void wait_token(int barrier, uint32_t token, const void* place) {
  lane* self = current_lane();
  warp* w = self->warp;
  block* b = w->block;
  const uint32_t bit = self->bit();
  check_launch_has(*b, barrier, place);
  split_lanes& s = lanes_of(*b, *w);
  if (barrier > cohort_barrier_block) open_outer_barriers(*b, true);
  const bool passes = s.passed[barrier] & bit;
  if (!passes && !(s.arrived[barrier] & bit)) {
    misuse(place, barrier, "barrier_wait() without a barrier_arrive() before it: each token can be used once");
  }
  if (token != COHORT_NEWEST_ARRIVAL && token != current_phase(*b, barrier) - (passes ? 1 : 0)) {
    misuse(place, barrier, "barrier_wait() with the token of another phase or of another barrier");
  }
  if (passes) {
    s.passed[barrier] &= ~bit;
    return raise_event(phase_passed{{w, bit}});
  }
  s.arrived[barrier] &= ~bit;
  if (barrier != cohort_barrier_block) {  // a lane at the block's barrier stores nothing
    b->waiting[barrier][w - b->warps] |= bit;
    w->at_wide |= bit;
  }
  suspend_at(place);
}

void withdraw_arrivals(block& b, const warp& w, uint32_t bit) {
  split_lanes& s = b.splits->warps[&w - b.warps];
  for (int barrier = 0; barrier < cohort_barriers; ++barrier) {
    if (s.arrived[barrier] & bit) {
      if (barrier < cohort_barrier_block) {
        const uint32_t block_thread_rank = static_cast<uint32_t>(&w - b.warps) * lanes_per_warp + lowest(bit);
        --b.teams->teams[tile_index(barrier, block_thread_rank)].arrived;
      } else if (barrier > cohort_barrier_block) {
        --b.outer_of(barrier).arrived;
      }
    }
    s.arrived[barrier] &= ~bit;
    s.passed[barrier] &= ~bit;
  }
}

}  // namespace cohort::engine
