// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of port.hpp that may suspend the calling thread. Each one notes the arrival; the last arrival sets
// the others free and goes on, all others end in `suspend`, a tail call.
#include "schedule.hpp"

namespace cohort::engine {

namespace {

inline void park(thread* self, warp* w, uint32_t& where, const void* place) {
  w->ready &= ~self->lane_bit;
  where |= self->lane_bit;
  self->place = place;
  self->yields = 0;
}

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
  thread* self = current_thread();
  warp* w = self->warp;
  const uint32_t bit = self->lane_bit;
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
    w->open |= bit;
  } else {
    m->arrived |= bit;
    if (m->arrived == needed) {
      w->open &= ~(1u << (m - w->meetings));
      if (resolve) resolve(needed, w->operands);
      w->ready |= needed;
      w->block->worker->advance();
      return;
    }
  }
  w->ready &= ~bit;
  self->place = __builtin_return_address(0);
  self->operation = operation;
  self->yields = 0;
  return suspend(self, w);
}

uint32_t cohort_wait_converged(void) {
  thread* self = current_thread();
  warp* w = self->warp;
  park(self, w, w->converging, __builtin_return_address(0));
  // How deep the call stack is tells recursion levels apart.
  const uint32_t lane = lowest(self->lane_bit);
  w->results[lane] = static_cast<uint32_t>(self->stack->top - static_cast<char*>(__builtin_frame_address(0)));
  suspend(self, w);
  return w->results[lane];
}

void cohort_wait_block(void) {
  thread* self = current_thread();
  warp* w = self->warp;
  block* b = w->block;
  if (++b->arrived == b->live) return open_block_barrier(*b);
  park(self, w, w->at_block, __builtin_return_address(0));
  return suspend(self, w);
}

uint32_t cohort_wait_block_count(int predicate) {
  thread* self = current_thread();
  warp* w = self->warp;
  block* b = w->block;
  b->count += predicate != 0;
  if (++b->arrived == b->live) {
    open_block_barrier(*b);
  } else {
    park(self, w, w->at_block, __builtin_return_address(0));
    suspend(self, w);
  }
  return b->counted;
}

void cohort_wait_grid(void) {
  thread* self = current_thread();
  warp* w = self->warp;
  block* b = w->block;
  if (!b->grid->launch->cooperative) {
    cohort_fail(error_launch_failure,
                "grid_group.sync() in a launch that is not cooperative; launch the kernel with cudaLaunchCooperativeKernel "
                "or cohort::launch_cooperative");
  }
  park(self, w, w->at_grid, __builtin_return_address(0));
  if (++b->at_grid == b->live) arrive_at_grid(*b);
  return suspend(self, w);
}

void cohort_wait_yield(void) {
  thread* self = current_thread();
  // Kernels that run as one loop do not spin; resolve functions must not.
  if (!self->warp || self->warp->block->worker->loop_stack) return;
  warp* w = self->warp;
  const uint32_t yields = self->yields + 1;
  park(self, w, w->spinning, __builtin_return_address(0));
  self->yields = yields;
  return suspend(self, w);
}

void cohort_wait_sleep(uint32_t) { return cohort_wait_yield(); }

}  // extern "C"
