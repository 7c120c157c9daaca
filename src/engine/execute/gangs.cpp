// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/gangs.hpp"

#include <new>

#include "engine/execute/failed_lanes.hpp"
#include "engine/execute/resident_blocks.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/gang/retire_lanes.hpp"
#include "engine/sync/gang/suspend_gang.hpp"

namespace cohort::engine {

namespace {

// Withdraws the current gang, which has returned. Switches to the next gang's stack, or calls begin(gang) if that gang
// starts on the current stack.
template <class Begin>
inline void run_after(worker& w, Begin begin) {
  gang& self = *current_gang();
  stack* const vacated = self.runner.stack;
  gang* next = withdraw_gang(self);
  if (!next && begin_next_block(w, *self.table->block)) next = self.table->take_ready();
  cohort_current_thread = next;
  if (next && !next->runner.started()) {
    next->runner.stack = vacated;
    begin(*next);
    return;
  }
  w.stacks.give(vacated);
  jump_to(next ? next->runner : w.home, w.discarded);
}

void next_gang_after(void* argument) {
  // Stores the arguments only: storing the whole call would delay the next gang's first load.
  run_after(*static_cast<worker*>(argument), [](const gang& next) {
    kernel_call& call = cohort_kernel_exit.call;
    if (call.entry != next.entry) call.entry = next.entry;
    if (call.gang != &next.shape) call.gang = &next.shape;
  });
}

// Entry function of the stacks on which C++ calls the kernels (kernel_exit::loop).
void run_gangs(void* raw) {
  after_switch(static_cast<stack*>(raw)->sanitizer);
  worker& w = *current_worker();
  for (;;) {
    const gang& self = *current_gang();
    call_unchecked([&] { self.entry(w.grid->launch->arguments, &self.shape); });
    run_after(w, [](const gang&) {});
  }
}

// Returns the gang that ran last, after ending its acting lane if it was in a resolve function.
gang& stop_acting(block& b) {
  if (!running.warp) return *current_gang();
  gang& acted = b.gangs.gangs[current_lane()->thread_rank / b.gangs.width];
  running = {};
  cohort_current_thread = &acted;
  return acted;
}

}  // namespace

bool gangs::can_run(const grid& g) const { return g.gang_width != 0; }

void gangs::run_share(worker& w) {
  continue_kernels_in(w, next_gang_after, run_gangs);
  cohort_kernel_exit.call.arguments = w.grid->launch->arguments;
  w.may_wait = true;
  w.may_suspend = false;
  resident_blocks::run_share(w);
}

void gangs::prepare_block(block& b) {
  b.gangs.shape(b, *b.grid);
  b.gangs.begin();
  b.gangs.warps_changed = true;
}

void gangs::run_block(worker& w, block& b) {
  b.gangs.collect_ready();
  gang* first = b.gangs.take_ready();
  if (!first) return;
  if (!first->runner.started() && !start_fiber(w, *first)) throw std::bad_alloc();
  cohort_current_thread = first;
  w.computing.store(true, std::memory_order_release);
  switch_to(w.home, first->runner);
  w.computing.store(false, std::memory_order_relaxed);
  if (w.failed.needs_lane()) find_failed_lanes(w, stop_acting(b));
}

// Sets aside all lanes of the gang: cohort_fail_assert has ended the function of all of them. The plugin calls
// cohort_gang_fail_assert instead, which ends one lane.
void gangs::set_aside_failed_lane(worker& w, block& b) {
  gang& failed = *current_gang();
  for (uint32_t lane = 0; lane < failed.shape.lanes; ++lane) {
    if (failed.live[lane / lanes_per_warp] >> lane % lanes_per_warp & 1) {
      set_aside_lane(failed, failed.shape.first_rank + lane);
    }
  }
  w.stacks.give(failed.runner.stack);
  failed.saved.clear();
  b.gangs.give_back_ready();
  cohort_current_thread = nullptr;
  w.failed = {};
}

void gangs::describe_running_lane(worker& w, block& b) {
  const gang& runs = stop_acting(b);
  note_failed_lanes(w, runs);
  b.gangs.publish();
  b.gangs.give_back_ready();
  for (uint32_t word = 0; word < b.gangs.warps_of(runs); ++word) b.warps[runs.first_warp + word].at_block = 0;
}

void gangs::abandon_block(worker& w, block& b) {
  for (uint32_t i = 0; i < b.gangs.count; ++i) {
    gang& g = b.gangs.gangs[i];
    if (!g.runner.started()) continue;
    w.stacks.give(g.runner.stack);
    g.saved.clear();
  }
}

}  // namespace cohort::engine
