// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of port.hpp that may suspend the calling thread. Each one notes the arrival; the last arrival sets
// the others free and goes on, all others end in `suspend`, a tail call.
#include "schedule.hpp"

namespace cohort::engine {

namespace {

// Moves the running lane from `ready` to `where` and suspends it. A tail call.
inline void park(warp* w, uint32_t warp::*where) {
  const uint32_t bit = running.bit;
  const uint32_t ready = w->ready & ~bit;
  w->ready = ready;
  w->*where |= bit;
  return suspend(w, bit, ready);
}

// A wait that ends in a tail call resumes in the kernel itself, so its registers tell the place. Where that is not so,
// the place is noted while the wait lasts.
#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
#define COHORT_NOTE_PLACE() (current_thread()->place = __builtin_return_address(0))
#else
#define COHORT_NOTE_PLACE() ((void)0)
#endif

// The rendezvous for (mask, resolve) that is open in this warp, or null.
inline rendezvous* find_meeting(warp* w, uint32_t mask, cohort_resolve resolve) {
  for (uint32_t open = w->open; open; open &= open - 1) {
    rendezvous& m = w->meetings[lowest(open)];
    if (m.mask == mask && m.resolve == resolve) return &m;
  }
  return nullptr;
}

[[noreturn]] __attribute__((noinline, cold)) void refuse_mask(uint32_t mask, uint32_t lane_bit, const char* operation) {
  cohort_fail(error_launch_failure, "%s: lane %u called with mask 0x%08x, which does not name it", operation, lowest(lane_bit),
              mask);
}

}  // namespace

}  // namespace cohort::engine

using namespace cohort::engine;

extern "C" {

void cohort_wait_warp(uint32_t mask, cohort_resolve resolve, void* operands, const char* operation) {
  warp* w = running.warp;
  const uint32_t bit = running.bit;
  if (__builtin_expect(!(mask & bit), 0)) refuse_mask(mask, bit, operation);
  const uint32_t needed = mask & w->live;
  w->operands[lowest(bit)] = operands;
  rendezvous* m = find_meeting(w, mask, resolve);
  if (!m) {
    if (needed == bit) {
      if (resolve) resolve(bit, w->operands);
      return;
    }
    m = &w->meetings[lowest(bit)];
    m->mask = mask;
    m->arrived = bit;
    m->resolve = resolve;
    m->operation = operation;
    w->open |= bit;
  } else {
    const uint32_t arrived = m->arrived | bit;
    m->arrived = arrived;
    if (arrived == needed) {
      w->open &= ~(1u << (m - w->meetings));
      if (resolve) resolve(needed, w->operands);
      w->ready |= needed;
      w->block->worker->advance();
      return;
    }
  }
  COHORT_NOTE_PLACE();
  const uint32_t ready = w->ready & ~bit;
  w->ready = ready;
  return suspend(w, bit, ready);
}

uint32_t cohort_wait_converged(void) {
  thread* self = current_thread();
  warp* w = self->warp;
  // How deep the call stack is tells recursion levels apart.
  const uint32_t lane = lowest(self->lane_bit());
  w->results[lane] = static_cast<uint32_t>(self->stack->top - static_cast<char*>(__builtin_frame_address(0)));
  self->place = __builtin_return_address(0);
  park(w, &warp::converging);
  self->place = nullptr;
  return w->results[lane];
}

void cohort_wait_block(void) {
  COHORT_NOTE_PLACE();
  return park(running.warp, &warp::at_block);
}

uint32_t cohort_wait_block_count(int predicate) {
  thread* self = current_thread();
  block* b = self->warp->block;
  b->count += predicate != 0;
  self->place = __builtin_return_address(0);
  park(self->warp, &warp::at_block);
  self->place = nullptr;
  return b->counted;
}

void cohort_wait_grid(void) {
  warp* w = running.warp;
  block* b = w->block;
  if (!b->grid->launch->cooperative) {
    cohort_fail(error_launch_failure,
                "grid_group.sync() in a launch that is not cooperative; launch the kernel with cudaLaunchCooperativeKernel "
                "or cohort::launch_cooperative");
  }
  COHORT_NOTE_PLACE();
  // Counted before the lane is parked: then the block cannot be left by anybody before its arrival is known.
  if (++b->at_grid == b->live) arrive_at_grid(*b);
  return park(w, &warp::at_grid);
}

void cohort_wait_yield(void) {
  thread* self = current_thread();
  // Kernels that run as one loop do not spin; resolve functions must not.
  if (self->warp->block->worker->loop_stack) return;
  self->place = __builtin_return_address(0);
  const auto here = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(self->place));
  self->yields = self->spins_at == here ? self->yields + 1 : 1;
  self->spins_at = here;
  park(self->warp, &warp::spinning);
  self->place = nullptr;
}

void cohort_wait_sleep(uint32_t) { return cohort_wait_yield(); }

}  // extern "C"
