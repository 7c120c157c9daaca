// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/fibers.hpp"

#include <new>

#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/suspend.hpp"
#include "engine/sync/withdraw.hpp"

namespace cohort::engine {

namespace {

// Withdraws the current lane, which has returned, and continues with the next lane. Leaves the stack if that lane has
// one of its own.
inline void next_lane_after(void* argument) {
  worker& w = *static_cast<worker*>(argument);
  lane* self = current_lane();
  stack* const vacated = self->fiber->stack;
  lane* next = withdraw(self);
  set_current_lane(next);
  if (next && !next->fiber->started()) {
    next->fiber->stack = vacated;
    return;
  }
  w.stacks.give(vacated);
  jump_to(next ? *next->fiber : w.home, w.discarded);
}

// Entry function of the stacks on which C++ calls the kernels (kernel_exit::loop).
void run_lanes(void* raw) {
  after_switch(static_cast<stack*>(raw)->sanitizer);
  worker& w = *current_worker();
  const cohort_launch& launch = *w.grid->launch;
  for (;;) {
    call_unchecked([&launch] { launch.kernel->thread_entry(launch.arguments); });
    next_lane_after(&w);
  }
}

}  // namespace

void fibers::set_up(worker& w) {
  continue_kernels_in(w, next_lane_after, run_lanes);
  cohort_kernel_exit.call = thread_call(w);
  w.may_wait = w.may_suspend = true;
}

void fibers::run_share(worker& w) {
  set_up(w);
  resident_blocks::run_share(w);
}

void fibers::run_block(worker& w, block& b) {
  lane* first = next_lane(&b.warps[lowest(b.warps_ready)]);
  if (!first) return;
  if (!first->fiber->started() && !start_fiber(w, *first)) throw std::bad_alloc();
  set_current_lane(first);
  w.computing.store(true, std::memory_order_release);
  switch_to(w.home, *first->fiber);
  w.computing.store(false, std::memory_order_relaxed);
}

void fibers::set_aside_failed_lane(worker& w, block&) {
  lane& failed = *current_lane();
  warp& its_warp = *failed.warp;
  running.warp->ready = running.ready;
  its_warp.at_wide |= failed.bit();
  its_warp.find_waiters_at_block();
  w.stacks.give(failed.fiber->stack);
  failed.fiber->registers->clear();
  set_current_lane(nullptr);
  w.failed = {};
}

void fibers::describe_running_lane(worker& w, block&) {
  const lane& runs = *current_lane();
  warp& its_warp = *runs.warp;
  if (w.failed.signal) its_warp.ready = running.ready;
  its_warp.ready &= ~runs.bit();
  its_warp.find_waiters_at_block();
  its_warp.at_block &= ~runs.bit();
}

void fibers::abandon_block(worker& w, block& b) {
  for (uint32_t i = 0; i < b.threads_total; ++i) {
    fiber& f = b.fibers[i];
    if (!f.started()) continue;
    w.stacks.give(f.stack);
    f.registers->clear();
  }
}

}  // namespace cohort::engine
