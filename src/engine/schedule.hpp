// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who runs next in a block, and what an arrival sets free.
#pragma once

#include "block.hpp"
#include "worker.hpp"

namespace cohort::engine {

// Yields in a row after which a lane counts as unable to run for convergence.
constexpr uint32_t stale_yields = 4;

// Lets all threads that wait at the block's barrier go on.
inline void open_block_barrier(block& b) {
  b.counted = b.count;
  b.count = 0;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    warp& w = b.warps[i];
    w.ready |= w.at_block;
    w.at_block = 0;
    if (w.ready) b.warps_ready |= w.bit;
  }
  b.worker->advance();
}

// Lets the lanes of `w` that wait at the same place as its lowest one go on, unless another lane can still run.
bool release_converging(warp& w);

// Completes each rendezvous of `w` for which a lane that returned was the last one missing.
void settle_meetings(warp& w);

// The thread to run after one of `w` has stopped, or null if no thread of the block can run. The block's barrier opens
// here, when nobody is left who could still arrive: an arrival itself counts nothing.
inline thread* next_thread(warp* w) {
  for (;;) {
    if (w->ready) return &w->threads[lowest(w->ready)];
    if (w->converging && release_converging(*w)) continue;
    block* b = w->block;
    b->warps_ready &= ~w->bit;
    if (!b->warps_ready) {
      if (!b->barrier_is_full()) return nullptr;
      open_block_barrier(*b);
    }
    w = &b->warps[lowest(b->warps_ready)];
  }
}

// Makes the spinning threads of the block ready again.
void wake_spinners(block& b);
// Makes the threads that wait at the grid's barrier ready again.
void open_grid_barrier(block& b);
// The block's last thread has come to the grid's barrier.
void arrive_at_grid(block& b);

// The general case of suspend(). A tail call.
void suspend_slow(thread* self, warp* w);

#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
inline void leap(thread* self, thread* next) {
  before_switch(&self->stack->sanitizer, next->stack->sanitizer);
  cohort_switch(self->registers, next->registers);
  after_switch(self->stack->sanitizer);
}
#else
inline void leap(thread* self, thread* next) { cohort_switch(self->registers, next->registers); }
#endif

// The lane that runs.
inline uint32_t current_lane() { return static_cast<uint32_t>(current_thread() - running.threads); }

// How a wait leaves the running fiber: with all registers that a call preserves, or without, where the caller does not
// ask for them (port.hpp, COHORT_LIGHT_WAITS). Sanitizers want to see each switch, so their builds know one way.
struct full_switch {
  static void go(context* from, const context* to) { cohort_switch(from, to); }
};
#if defined(COHORT_LIGHT_SWITCH)
struct light_switch {
  static void go(context* from, const context* to) { cohort_switch_light(from, to); }
};
#else
using light_switch = full_switch;
#endif

// Suspends the running lane, which the caller has put into one of its warp's masks. A tail call, and what every wait
// goes through: from one switch to the next, only `running` hands on a value.
template <class Switch>
inline void suspend(uint32_t lane) {
  const uint32_t ready = running.ready;
  if (__builtin_expect(ready == 0, 0)) return suspend_slow(&running.threads[lane], running.warp);
  const uint32_t next = lowest(ready);
  context* to = &running.registers[next];
  if (__builtin_expect(!to->resumable(), 0)) return suspend_slow(&running.threads[lane], running.warp);
  running.ready = ready & (ready - 1);
  cohort_current_thread = &running.threads[next];
#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
  return leap(&running.threads[lane], &running.threads[next]);
#else
  return Switch::go(&running.registers[lane], to);
#endif
}

}  // namespace cohort::engine
