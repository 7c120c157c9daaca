// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suspend.hpp"

namespace cohort::engine {

namespace {

// Releases after which the lanes that have waited longest go first, wherever they are.
constexpr uint32_t most_overtaking = 64;

// Lane a goes on before lane b: of lanes in one loop the one that is behind, else the one at the lower address.
bool goes_before(const warp& w, uint32_t a, uint32_t b) {
  if (w.loops[a] == w.loops[b] && w.turns[a] != w.turns[b]) return w.turns[a] < w.turns[b];
  return w.threads[a].place < w.threads[b].place;
}

// Whose turn it is. The deepest call first, then the earliest iteration of a loop, then the lowest code address: arms
// of a branch before the code behind it, bodies of loops before their exits, so that lanes meet again where a GPU's
// lanes would (S. Collange, "Stack-less SIMT reconvergence at low cost", 2011).
uint32_t next_to_converge(const warp& w) {
  uint32_t oldest = lowest(w.converging);
  uint32_t first = oldest;
  for (uint32_t left = w.converging; left; left &= left - 1) {
    const uint32_t lane = lowest(left);
    if (w.releases - w.parked_at[lane] > w.releases - w.parked_at[oldest]) oldest = lane;
    const uint32_t depth = w.results[lane];  // holds the depth of the call stack while the lane waits
    if (depth > w.results[first] || (depth == w.results[first] && goes_before(w, lane, first))) first = lane;
  }
  return w.releases - w.parked_at[oldest] > most_overtaking ? oldest : first;
}

}  // namespace

bool release_converging(warp& w) {
  for (uint32_t spinning = w.spinning; spinning; spinning &= spinning - 1) {
    if (w.threads[lowest(spinning)].yields < stale_yields) return false;
  }
  const uint32_t first = next_to_converge(w);
  const uint32_t depth = w.results[first];
  uint32_t group = 0;
  for (uint32_t left = w.converging; left; left &= left - 1) {
    const uint32_t lane = lowest(left);
    const bool same_turn = w.loops[lane] == w.loops[first] && w.turns[lane] == w.turns[first];
    if (w.threads[lane].place == w.threads[first].place && w.results[lane] == depth && same_turn) group |= 1u << lane;
  }
  for (uint32_t left = group; left; left &= left - 1) w.results[lowest(left)] = group;
  w.converging &= ~group;
  w.ready |= group;
  ++w.releases;
  w.block->worker->advance();
  return true;
}

void settle_meetings(warp& w) {
  for (uint32_t open = w.open; open; open &= open - 1) {
    const uint32_t opener = lowest(open);
    rendezvous& m = w.meetings[opener];
    m.needed = m.mask & w.live;
    if (m.arrived != m.needed) continue;
    w.open &= ~(1u << opener);
    m.mask = 0;
    resolve_meeting(w, m.resolve, m.arrived);
    w.ready |= m.arrived;
  }
}

void wake_spinners(block& b) {
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    warp& w = b.warps[i];
    if (!w.spinning) continue;
    w.ready |= w.spinning;
    w.spinning = 0;
    b.warps_ready |= w.bit;
  }
}

void pass_split_barrier(block& b) {
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    split_lanes& s = b.splits[i];
    s.passed[cohort_barrier_block] |= s.arrived[cohort_barrier_block];
    s.arrived[cohort_barrier_block] = 0;
  }
}

__attribute__((noinline, cold)) void refuse_inside_operator() {
  const void* noted = current_thread()->place;
  fail_at(noted ? noted : __builtin_return_address(0), error_launch_failure,
          "a collective was called by the operator of another collective, which one thread runs for the whole group; "
          "call it before or after");
}

__attribute__((noinline)) void suspend_slow(thread* self, warp* w) {
  leave_running_warp();
  thread* next = next_thread(w);
  if (next == self) return set_current_thread(self);
  worker& mine = *w->block->worker;
  if (next) {
    if (!next->started() && !start_on_new_stack(mine, *next)) {
      mine.failed = {error_memory_allocation, "no memory for the stack of one more thread", nullptr, false};
      give_up(mine);
    }
    set_current_thread(next);
    return leap(self, next);
  }
  set_current_thread(nullptr);
  before_switch(&self->stack->sanitizer, mine.home_sanitizer);
  cohort_switch(self->registers, &mine.home);
  after_switch(self->stack->sanitizer);
}

}  // namespace cohort::engine
