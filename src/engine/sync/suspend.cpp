// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suspend.hpp"

namespace cohort::engine {

void release_waiting(block& b, int barrier, uint32_t first, uint32_t end, bool runs) {
  for (uint32_t i = first; i < end; ++i) {
    warp& w = b.warps[i];
    const uint32_t lanes = b.waiting[barrier][i];
    b.waiting[barrier][i] = 0;
    w.at_wide &= ~lanes;
    if (runs && &w == running.warp) {
      running.ready |= lanes;
    } else if (lanes) {
      w.ready |= lanes;
      b.warps_ready |= w.bit;
    }
    if (b.splits.is_used()) {
      split_lanes& s = b.splits->warps[i];
      s.passed[barrier] |= s.arrived[barrier];
      s.arrived[barrier] = 0;
    }
  }
  b.worker->advance();
}

bool start_fiber(worker& w, lane& l) {
  stack* s = w.stacks.take();
  if (!s) return false;
  start(*l.fiber, *s, w.fiber_entry, &w);
  return true;
}

__attribute__((noinline, cold)) void refuse_inside_operator() {
  const void* noted = current_lane()->place;
  fail_at(noted ? noted : __builtin_return_address(0), error_launch_failure,
          "a collective was called by the operator of another collective, which one thread runs for the whole group; "
          "call it before or after");
}

__attribute__((noinline)) void suspend_slow(lane* self, warp* w) {
  stop_running_warp();
  lane* next = next_lane(w);
  if (next == self) return set_current_lane(self);
  worker& mine = *w->block->worker;
  if (next) {
    if (!next->fiber->started() && !start_fiber(mine, *next)) {
      mine.failed = {error_memory_allocation, "no memory for the stack of one more thread"};
      give_up(mine);
    }
    set_current_lane(next);
    return switch_to(*self->fiber, *next->fiber);
  }
  set_current_lane(nullptr);
  return switch_to(*self->fiber, mine.home);
}

void wait_yield(const void* place) {
  lane* self = current_lane();
  const worker& mine = *self->warp->block->worker;
  // A kernel that runs as one loop has no other lane to yield to; an operator that spins in a rendezvous runs alone.
  if (!mine.may_suspend || mine.resolving) return;
  self->place = place;
  const auto here = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place));
  self->yields = self->yields_at == here ? self->yields + 1 : 1;
  self->yields_at = here;
  self->warp->spinning |= self->bit();
  suspend<full_switch>();
  self->place = nullptr;
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

}  // namespace cohort::engine
