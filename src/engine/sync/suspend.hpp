// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suspending the running lane, and choosing the lane that runs next: in its warp first, then in its block, then none.
// Every wait of the engine ends here.
#pragma once

#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/block_phase.hpp"
#include "engine/sync/convergence.hpp"
#include "engine/sync/mbarrier.hpp"

namespace cohort::engine {

// A wait that ends in a tail call resumes in the kernel itself, so the fiber's registers hold the source place of the
// call. Other builds store it (the build system defines COHORT_TAIL_CALLS).
inline void note_place([[maybe_unused]] const void* place) {
#if !defined(COHORT_TAIL_CALLS) || defined(COHORT_PORTABLE_SWITCH) || defined(COHORT_ASAN) || defined(COHORT_TSAN)
  current_lane()->place = place;
#endif
}

// Fails the launch: the operator of a collective called a collective. Reached by tail calls from the kernel's call.
void refuse_inside_operator();

// Marks the worker as resolving. Part of a resolve function is user code, in which no lane may suspend. No lane is
// ready in this time, so each wait ends in change_warp(), which tests worker::resolving.
class resolving {
 public:
  explicit resolving(worker& w) : worker_(w), ready_(running.ready) {
    if (w.resolving) refuse_inside_operator();
    w.resolving = true;
    running.ready = 0;
  }
  resolving(const resolving&) = delete;
  resolving& operator=(const resolving&) = delete;
  ~resolving() {
    running.ready = ready_;
    worker_.resolving = false;
  }

 private:
  worker& worker_;
  uint32_t ready_;
};

// How a wait leaves the running fiber. full_switch saves the registers that a call preserves; light_switch saves none,
// for callers that preserve none (port.hpp, COHORT_LIGHT_WAITS). Sanitizer builds use full_switch for both, because
// each switch must be announced.
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

// Passes the source place of the last stop to the worker's schedule, once the lane has been suspended.
void note_stop_place(worker& w);
// next_lane() under a schedule. Also null if another block shall run first.
lane* scheduled_lane(warp& w);
// A point of the running lane at which a schedule may run another lane: an atomic, a fence, a volatile access. `place`:
// source place of the call.
void pass_preemption_point(const void* place);

// Returns the lane to run after a lane of `w` has stopped; null if no lane of the block can run. Arrivals at the
// block's barrier are not counted, so the barrier opens here: when no lane that could still arrive is left.
inline lane* next_lane(warp* w) {
  if (__builtin_expect(w->block->worker->schedule != nullptr, 0)) return scheduled_lane(*w);
  for (;;) {
    if (w->ready) return &w->lanes[lowest(w->ready)];
    if (w->converging && release_converging(*w)) continue;
    block* b = w->block;
    b->warps_ready &= ~w->bit;
    if (!b->warps_ready) {
      if (block_barrier_is_full(*b)) {
        open_block_barrier(*b);
      } else if (!wake_mbarrier_waits(*b, false)) {
        return nullptr;
      }
    }
    w = &b->warps[lowest(b->warps_ready)];
  }
}

// Makes ready the lanes of `w` that waited at a barrier of a team or beyond the block. `runs`: a lane of the block
// runs, so its warp's ready lanes are in `running`.
void release_wide(block& b, warp& w, uint32_t lanes, bool runs);
// Makes ready those lanes of the warps first .. end - 1 that wait at `barrier`, the barrier of a team or one beyond the
// block. Lanes that have arrived without waiting need not wait any more. `runs`: a lane of the block runs, so its
// warp's ready lanes are in `running`.
void release_waiting(block& b, int barrier, uint32_t first, uint32_t end, bool runs);

// The call that runs the current thread of the worker's launch.
kernel_call thread_call(const worker& w);
// Starts the fiber of a lane that has not run yet. False: no memory for a stack.
bool start_fiber(worker& w, lane& l);

// The general case of suspend(); called as a tail call.
void suspend_slow(lane* self, warp* w);

// The registers of a lane of the running warp. If lane and context have one size, as on x86-64, their distance is equal
// for all lanes of a block, and no index has to be computed.
inline context* registers_of(lane* l) {
  if constexpr (sizeof(context) == sizeof(lane)) {
    return reinterpret_cast<context*>(reinterpret_cast<char*>(l) + running.to_registers);
  } else {
    return &running.registers[l - running.lanes];
  }
}

#if !defined(COHORT_ASAN) && !defined(COHORT_TSAN)
// Suspends the running lane when no other lane of its warp can run. The hot path switches to another warp of the block,
// and opens the block's barrier first if it is full. suspend_slow() handles all other cases. Every path ends in a tail
// call, so this function saves no registers.
template <class Switch>
__attribute__((noinline)) void change_warp() {
  warp* w = running.warp;
  block* b = w->block;
  lane* self = current_lane();
  if (__builtin_expect(b->worker->resolving, 0)) return refuse_inside_operator();
  if (w->converging) return suspend_slow(self, w);
  stop_running_warp();
  b->warps_ready &= ~w->bit;
  if (!b->warps_ready) {
    if (!block_barrier_is_full(*b)) return suspend_slow(self, w);
    open_block_barrier(*b);
    running.ready = w->ready;
  }
  warp* other = &b->warps[lowest(b->warps_ready)];
  const uint32_t ready = other->ready;
  const uint32_t next = lowest(ready);
  if (ready == 0 || !other->registers[next].resumable()) return suspend_slow(self, w);
  context* from = registers_of(self);
  set_running_warp(*other, ready & (ready - 1));
  cohort_current_thread = &other->lanes[next];
  return Switch::go(from, &other->registers[next]);
}
#else
template <class Switch>
void change_warp() {
  if (running.warp->block->worker->resolving) return refuse_inside_operator();
  return suspend_slow(current_lane(), running.warp);
}
#endif

// Suspends the running lane, whose bit the caller has put into a mask of its warp. Ends in a tail call. Only `running`
// carries values from one switch to the next.
template <class Switch>
inline void suspend() {
  lane* self = current_lane();
  const uint32_t ready = running.ready;
  if (__builtin_expect(ready == 0, 0)) return change_warp<Switch>();
  lane* next = running.lanes + lowest(ready);
  context* to = registers_of(next);
  if (__builtin_expect(!to->resumable(), 0)) return suspend_slow(self, running.warp);
  running.ready = ready & (ready - 1);
  cohort_current_thread = next;
#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
  return switch_to(*self->fiber, *next->fiber);
#else
  return Switch::go(registers_of(self), to);
#endif
}

// suspend() for a function that is no tail call of the kernel: it stores the place, which is not in the fiber's
// registers.
inline void suspend_at(const void* place) {
  lane* self = current_lane();
  self->place = place;
  suspend<full_switch>();
  self->place = nullptr;
}

// See cohort_wait_yield. `place`: source place of the call.
void wait_yield(const void* place);
// Makes the spinning lanes of the block ready again.
void wake_spinners(block& b);

}  // namespace cohort::engine
