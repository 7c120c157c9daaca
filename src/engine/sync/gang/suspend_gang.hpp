// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suspending the running gang, and choosing the next one. In a gang kernel no lane waits for another lane of its gang,
// so each wait ends here. An arrival at the block's barrier stores nothing: when no gang is ready and none waits
// elsewhere, all wait at that barrier, and the gang that arrived last opens it and continues.
#pragma once

#include "engine/state/gang.hpp"
#include "engine/sync/suspend.hpp"

namespace cohort::engine {

// The gang that runs on this OS thread. pre: the worker runs a gang
inline gang* current_gang() { return static_cast<gang*>(current_lane()); }

// Makes the first lane of a gang the current thread while the object exists: resolve functions contain user code, and
// refused waits name a lane.
class acting_lane {
 public:
  explicit acting_lane(gang& g) : gang_(g) {
    set_current_lane(&g.table->block->lanes[g.shape.first_rank]);
    running.ready = 0;
  }
  acting_lane(const acting_lane&) = delete;
  acting_lane& operator=(const acting_lane&) = delete;
  ~acting_lane() {
    running = {};
    cohort_current_thread = &gang_;
  }

 private:
  gang& gang_;
};

// The call that runs all lanes of `g`.
kernel_call gang_call(const gang& g);
// Starts the fiber of a gang that has not run yet. False: no memory for a stack.
bool start_fiber(worker& w, gang& g);
// The gang to run after `self` has stopped, or null; `self` if the barrier at which it arrived last has opened.
gang* next_gang(gang& self);
// The general case of suspend_gang(); called as a tail call.
void change_gang();

// Suspends the running gang when no other gang can run. Opens the block's barrier if no gang waits elsewhere.
template <class Switch>
__attribute__((noinline)) void suspend_last_gang() {
  const gang* self = current_gang();
  gang_table* table = self->table;
  block* b = table->block;
  block_barrier& barrier = b->barrier;
  const bool agree = barrier.voting == 0 || block_votes_agree(*b);
  if (table->wide || b->splits.is_used() || barrier.resolve || !agree) return change_gang();
  if (barrier.voting) {
    barrier.last_count = barrier.true_count;
    barrier.true_count = 0;
    forget_votes(barrier);
  }
  ++barrier.phase;
  table->ready = table->live & ~self->bit;
  b->worker->advance();
  raise_event(block_synchronised{b});
}

// Suspends the running gang, whose bit is in gang_table::wide unless it waits at the block's barrier. Ends in a tail
// call.
template <class Switch>
inline void suspend_gang() {
  gang* self = current_gang();
  gang_table* table = self->table;
  const uint32_t ready = table->ready;
  if (ready == 0) return suspend_last_gang<Switch>();
  gang* next = &table->gangs[lowest(ready)];
  if (__builtin_expect(!next->saved.resumable(), 0)) return change_gang();
  table->ready = ready & (ready - 1);
  cohort_current_thread = next;
#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
  return switch_to(self->runner, next->runner);
#else
  return Switch::go(&self->saved, &next->saved);
#endif
}

// Suspends the running gang and keeps the source place of its wait for reports.
inline void suspend_gang_at(const void* place) {
  gang* self = current_gang();
  self->place = place;
  suspend_gang<full_switch>();
  self->place = nullptr;
}

}  // namespace cohort::engine
