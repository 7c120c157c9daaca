// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who runs next in a block, and what an arrival sets free.
#pragma once

#include "../execute/worker.hpp"
#include "../state/block.hpp"

// A wait that ends in a tail call resumes in the kernel itself, so its registers tell the place. Where that is not so
// (the build says which builds make tail calls), the place is noted.
#if defined(COHORT_TAIL_CALLS) && !defined(COHORT_PORTABLE_SWITCH) && !defined(COHORT_ASAN) && !defined(COHORT_TSAN)
#define COHORT_NOTE_PLACE() ((void)0)
#else
#define COHORT_NOTE_PLACE() (current_thread()->place = __builtin_return_address(0))
#endif

namespace cohort::engine {

// Yields in a row after which a lane counts as unable to run for convergence.
constexpr uint32_t stale_yields = 4;

// All threads of the block wait in block::collective.
void resolve_collective(block& b);
// The block's barrier has opened: who has only arrived there need not wait.
void pass_split_barrier(block& b);

// Lets all threads that wait at the block's barrier go on.
inline void open_block_barrier(block& b) {
  if (b.collective) resolve_collective(b);
  b.counted = b.count;
  b.count = 0;
  ++b.phase;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    warp& w = b.warps[i];
    w.ready |= w.at_block;
    w.at_block = 0;
    if (w.ready) b.warps_ready |= w.bit;
  }
  if (b.splits_used) pass_split_barrier(b);
  b.worker->advance();
}

// Fails the launch: a collective was called by an operator. Reached by tail calls from the kernel's call.
void refuse_inside_operator();

// While this exists, a resolve function runs, which is user code in part: nothing may suspend. No lane is ready
// meanwhile, so that each wait comes to change_warp(), which looks.
class resolving {
 public:
  explicit resolving(worker& w) : worker_(w), ready_(running.ready) {
    if (w.resolving) refuse_inside_operator();
    w.resolving = true;
    running.ready = 0;
  }
  resolving(const resolving&) = delete;
  ~resolving() {
    running.ready = ready_;
    worker_.resolving = false;
  }

 private:
  worker& worker_;
  uint32_t ready_;
};

// Runs the resolve function of a rendezvous.
inline void resolve_meeting(warp& w, cohort_resolve resolve, uint32_t lanes) {
  if (!resolve) return;
  const resolving now(*w.block->worker);
  resolve(lanes, w.operands);
}

// Lets lanes of `w` that wait for convergence at one and the same place go on, unless another lane can still run.
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

// The registers of a thread of the running warp. Where facts and registers are of one size, as on x86-64, the distance
// between the two is the same for all threads of a block, and no index has to be computed.
inline context* registers_beside(thread* t) {
  if constexpr (sizeof(context) == sizeof(thread)) {
    return reinterpret_cast<context*>(reinterpret_cast<char*>(t) + running.to_registers);
  } else {
    return &running.registers[t - running.threads];
  }
}

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

#if !defined(COHORT_ASAN) && !defined(COHORT_TSAN)
// No lane of the running warp can run. Most often another warp of the block can, after the block's barrier has opened
// if need be; the rest is for suspend_slow. A tail call that needs no registers of its own.
template <class Switch>
__attribute__((noinline)) void change_warp() {
  warp* w = running.warp;
  block* b = w->block;
  thread* self = current_thread();
  if (__builtin_expect(b->worker->resolving, 0)) return refuse_inside_operator();
  if (w->converging) return suspend_slow(self, w);
  leave_running_warp();
  b->warps_ready &= ~w->bit;
  if (!b->warps_ready) {
    if (!b->barrier_is_full()) return suspend_slow(self, w);
    open_block_barrier(*b);
    running.ready = w->ready;
  }
  warp* other = &b->warps[lowest(b->warps_ready)];
  const uint32_t ready = other->ready;
  const uint32_t next = lowest(ready);
  if (ready == 0 || !other->registers[next].resumable()) return suspend_slow(self, w);
  context* from = self->registers;
  run_warp(*other, ready & (ready - 1));
  cohort_current_thread = &other->threads[next];
  return Switch::go(from, &other->registers[next]);
}
#else
template <class Switch>
void change_warp() {
  if (running.warp->block->worker->resolving) return refuse_inside_operator();
  return suspend_slow(current_thread(), running.warp);
}
#endif

// Suspends the running lane, which the caller has put into one of its warp's masks. A tail call, and what every wait
// goes through: from one switch to the next, only `running` hands on a value.
template <class Switch>
inline void suspend() {
  thread* self = current_thread();
  const uint32_t ready = running.ready;
  if (__builtin_expect(ready == 0, 0)) return change_warp<Switch>();
  thread* next = running.threads + lowest(ready);
  context* to = registers_beside(next);
  if (__builtin_expect(!to->resumable(), 0)) return suspend_slow(self, running.warp);
  running.ready = ready & (ready - 1);
  cohort_current_thread = next;
#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
  return leap(self, next);
#else
  return Switch::go(registers_beside(self), to);
#endif
}

}  // namespace cohort::engine
