// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/gang/retire_lanes.hpp"

#include "engine/sync/gang/suspend_gang.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/split_phase.hpp"
#include "engine/sync/team.hpp"
#include "engine/sync/warpgroup.hpp"

namespace cohort::engine {

namespace {

// Calls `with(lane)` for the lanes in `g.live` that are not in `lanes`.
template <class Function>
void for_each_missing(gang& g, const uint32_t* lanes, Function with) {
  for (uint32_t word = 0; word < g.table->words; ++word) {
    for (uint32_t left = g.live[word] & ~(lanes ? lanes[word] : 0); left; left &= left - 1) {
      with(g.table->block->lanes[g.shape.first_rank + word * lanes_per_warp + lowest(left)]);
    }
  }
}

}  // namespace

__attribute__((noinline)) void retire_lanes(gang& g, const uint32_t* lanes) {
  block& b = *g.table->block;
  g.table->warps_changed = true;
  if (b.copies.is_used()) {
    for_each_missing(g, lanes, [&](lane& l) { (*b.copies)[l.thread_rank].make_all(make_late_copy); });
  }
  if (b.splits.is_used()) for_each_missing(g, lanes, [&](lane& l) { withdraw_arrivals(b, *l.warp, l.bit()); });
  for (uint32_t word = 0; word < g.table->words; ++word) {
    const uint32_t missing = g.live[word] & ~(lanes ? lanes[word] : 0);
    if (missing) b.warps[g.first_warp + word].live &= ~missing;
    const uint32_t count = missing == ~0u ? lanes_per_warp : static_cast<uint32_t>(__builtin_popcount(missing));
    g.live_count -= count;
    b.live -= count;
  }
  b.worker->advance();
  if (b.live) send_ready_arrivals(b);
  if (b.teams.is_used()) {
    const acting_lane now(g);
    for_each_missing(g, lanes, [&](lane& l) { leave_teams(b, l); });
  }
  for (uint32_t word = 0; word < g.table->words; ++word) g.live[word] &= lanes ? lanes[word] : 0;
}

void set_aside_lane(gang& g, uint32_t block_thread_rank) {
  const uint32_t lane = block_thread_rank - g.shape.first_rank;
  const uint32_t bit = 1u << lane % lanes_per_warp;
  g.live[lane / lanes_per_warp] &= ~bit;
  --g.live_count;
  g.table->block->warps[g.first_warp + lane / lanes_per_warp].at_wide |= bit;
  g.table->warps_changed = true;
  g.table->wide |= g.bit;
}

namespace {

// Removes a gang whose lanes have all returned from its barriers.
void retire_gang(gang& g) {
  block& b = *g.table->block;
  if (b.copies.is_used() || b.splits.is_used() || b.teams.is_used()) return retire_lanes(g, nullptr);
  b.live -= g.live_count;
  g.live_count = 0;
  if (b.live) {
    g.table->lanes_returned = true;
    for (uint32_t word = 0; word < g.table->words; ++word) {
      b.warps[g.first_warp + word].live &= ~g.live[word];  // lanes whose assertions failed stay
      g.live[word] = 0;
    }
  }
  b.worker->advance();
  if (b.live) send_ready_arrivals(b);
}

}  // namespace

gang* withdraw_gang(gang& self) {
  const block& b = *self.table->block;
  if (b.warpgroups.is_used()) end_warps_of_products(b, self.first_warp, self.table->words);
  retire_gang(self);
  self.saved.clear();
  self.table->live &= ~self.bit;
  return next_gang(self);
}

}  // namespace cohort::engine
