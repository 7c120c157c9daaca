// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of port.hpp that may suspend the calling thread. Each one notes the arrival; the last arrival sets
// the others free and goes on, all others end in `suspend`, a tail call.
#include "schedule.hpp"

namespace cohort::engine {

namespace {

// Puts the running lane into the mask `where` and suspends it. A tail call.
template <class Switch = full_switch>
inline void park(warp* w, uint32_t warp::*where) {
  const uint32_t lane = current_lane();
  w->*where |= 1u << lane;
  return suspend<Switch>(lane);
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

[[noreturn]] __attribute__((noinline, cold)) void refuse_mask(uint32_t mask, const char* operation) {
  cohort_fail(error_launch_failure, "%s: lane %u called with mask 0x%08x, which does not name it", operation, current_lane(),
              mask);
}

// The first lane to arrive. What it passed as operands is in its place already.
template <class Switch>
__attribute__((noinline)) void open_meeting(uint32_t mask, cohort_resolve resolve, const char* operation) {
  warp* w = running.warp;
  const uint32_t lane = current_lane();
  const uint32_t bit = 1u << lane;
  if ((mask & w->live) == bit) {
    if (resolve) resolve(bit, w->operands);
    return;
  }
  w->meetings[lane] = {mask, bit, resolve, operation};
  w->open |= bit;
  return suspend<Switch>(lane);
}

// The last lane to arrive, which goes on.
__attribute__((noinline)) void complete_meeting(rendezvous* m) {
  warp* w = running.warp;
  const uint32_t arrived = m->arrived;
  w->open &= ~(1u << (m - w->meetings));
  if (m->resolve) m->resolve(arrived, w->operands);
  running.ready |= arrived & ~(1u << current_lane());
  w->block->worker->advance();
}

template <class Switch>
inline void wait_warp(uint32_t mask, cohort_resolve resolve, void* operands, const char* operation) {
  warp* w = running.warp;
  const uint32_t lane = current_lane();
  const uint32_t bit = 1u << lane;
  if (__builtin_expect(!(mask & bit), 0)) refuse_mask(mask, operation);
  w->operands[lane] = operands;
  rendezvous* m = find_meeting(w, mask, resolve);
  if (__builtin_expect(!m, 0)) return open_meeting<Switch>(mask, resolve, operation);
  const uint32_t arrived = m->arrived | bit;
  m->arrived = arrived;
  if (__builtin_expect(arrived == (mask & w->live), 0)) return complete_meeting(m);
  return suspend<Switch>(lane);
}

}  // namespace

}  // namespace cohort::engine

using namespace cohort::engine;

extern "C" {

// The light entries: `_unsaved` is called by switch_entry_*.S, the other straight from kernels.
void cohort_wait_warp_unsaved(uint32_t mask, cohort_resolve resolve, void* operands, const char* operation);
void cohort_wait_block_light(void);

void cohort_wait_warp(uint32_t mask, cohort_resolve resolve, void* operands, const char* operation) {
  COHORT_NOTE_PLACE();
  return wait_warp<full_switch>(mask, resolve, operands, operation);
}

void cohort_wait_warp_unsaved(uint32_t mask, cohort_resolve resolve, void* operands, const char* operation) {
  COHORT_NOTE_PLACE();
  return wait_warp<light_switch>(mask, resolve, operands, operation);
}

void cohort_wait_block_light(void) {
  COHORT_NOTE_PLACE();
  return park<light_switch>(running.warp, &warp::at_block);
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
