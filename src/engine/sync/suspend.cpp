// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/suspend.hpp"

#include <utility>

#include "engine/fiber/kernel_call.hpp"
#include "engine/state/grid.hpp"
#include "engine/sync/bulk_copies.hpp"

namespace cohort::engine {

void release_wide(block& b, warp& w, uint32_t lanes, bool runs) {
  w.at_wide &= ~lanes;
  if (runs && &w == running.warp) {
    running.ready |= lanes;
  } else if (lanes) {
    w.ready |= lanes;
    b.warps_ready |= w.bit;
  }
}

void release_waiting(block& b, int barrier, uint32_t first, uint32_t end, bool runs) {
  for (uint32_t i = first; i < end; ++i) {
    warp& w = b.warps[i];
    const uint32_t lanes = b.waiting[barrier][i];
    b.waiting[barrier][i] = 0;
    release_wide(b, w, lanes, runs);
    if (b.splits.is_used()) {
      split_lanes& s = b.splits->warps[i];
      s.passed[barrier] |= s.arrived[barrier];
      s.arrived[barrier] = 0;
    }
  }
  b.worker->advance();
}

kernel_call thread_call(const worker& w) {
  const cohort_launch& launch = *w.grid->launch;
  return call_of_thread(launch.kernel->thread_entry, launch.arguments);
}

bool start_fiber(worker& w, lane& l) {
  stack* s = w.stacks.take();
  if (!s) return false;
  start_kernel(*l.fiber, *s, thread_call(w));
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
  // A kernel that runs as one loop has no other lane to yield to, and an operator that spins in a rendezvous is the
  // only running code.
  if (!mine.may_suspend || mine.resolving) return;
  const auto here = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place));
  self->yields = self->yields_at == here ? self->yields + 1 : 1;
  self->yields_at = here;
  self->warp->spinning |= self->bit();
  suspend_at(place);
}

namespace {

// Releases the converging lanes of each warp that has no lane to run. True if a lane of the block can run.
bool find_ready(block& b, uint32_t (&ready)[warps_per_block]) {
  bool any = false;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    warp& w = b.warps[i];
    if (!w.ready && w.converging) release_converging(w);
    ready[i] = w.ready;
    if (w.ready) {
      b.warps_ready |= w.bit;
    } else {
      b.warps_ready &= ~w.bit;
    }
    any |= w.ready != 0;
  }
  return any;
}

void note_stop(worker& mine, const lane& l) {
  const warp& w = *l.warp;
  const stop_kind how = !(w.live & l.bit())    ? stop_kind::returns
                        : w.spinning & l.bit() ? stop_kind::polls
                                               : stop_kind::waits;
  mine.schedule->stop(w.block->rank, l.thread_rank, how);
  mine.last_stopped = mine.schedule->needs_place() ? &l : nullptr;
}

void note_spins(const warp& w) {
  for (uint32_t left = w.spinning; left; left &= left - 1) {
    w.block->worker->schedule->spun(w.block->rank, w.lanes[lowest(left)].thread_rank);
  }
}

}  // namespace

void wake_spinners(block& b) {
  bool any = false;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    warp& w = b.warps[i];
    if (!w.spinning) continue;
    any = true;
    // A schedule may leave a block whose lanes can still run. Converging lanes wait until the warp has no other lane to
    // run, which would hardly happen if spinning lanes became ready in each round.
    if (w.ready && w.converging) continue;
    if (b.worker->schedule) note_spins(w);
    w.ready |= w.spinning;
    w.spinning = 0;
    b.warps_ready |= w.bit;
  }
  if (any) make_polled_copies(b);
  end_mbarrier_tries(b);
}

void note_stop_place(worker& w) {
  const lane* const stopped = std::exchange(w.last_stopped, nullptr);
  if (stopped && w.schedule->needs_place()) w.schedule->place_stop(stopped->waits_at());
}

lane* scheduled_lane(warp& w) {
  block& b = *w.block;
  note_stop_place(*b.worker);
  if (current_lane()) note_stop(*b.worker, *current_lane());
  uint32_t ready[warps_per_block];
  // The engine's own order continues in the warp. After a barrier of the block it begins at the first warp.
  const lane* self = current_lane();
  const bool released = self && self->warp == &w && (w.ready & self->bit());
  uint32_t current_warp = released ? 0 : static_cast<uint32_t>(&w - b.warps);
  wake_mbarrier_waits(b, false);
  while (!find_ready(b, ready)) {
    if (block_barrier_is_full(b)) {
      open_block_barrier(b);
      current_warp = 0;
    } else if (!wake_mbarrier_waits(b, false)) {
      return nullptr;
    }
  }
  const uint32_t thread = b.worker->schedule->next_thread(b.rank, ready, b.warp_count, current_warp);
  return thread == other_block ? nullptr : &b.lanes[thread];
}

void pass_preemption_point(const void* place) {
  worker* w = current_worker();
  lane* self = current_lane();
  if (!w || !w->schedule || !self || !w->may_suspend || w->resolving) return;
  note_stop_place(*w);
  const block& b = *self->warp->block;
  const bool alone = !running.ready && !(b.warps_ready & ~self->warp->bit);
  if (!w->schedule->preempts(b.rank, self->thread_rank, alone, place)) return;
  self->place = place;
  running.ready |= self->bit();
  suspend_slow(self, running.warp);
  self->place = nullptr;
}

}  // namespace cohort::engine
