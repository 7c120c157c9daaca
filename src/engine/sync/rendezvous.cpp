// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of port.hpp that may suspend the calling thread. Each one notes the arrival; the last arrival sets
// the others free and goes on, all others end in `suspend`, a tail call.
#include "../state/late_copies.hpp"
#include "suspend.hpp"

namespace cohort::engine {

namespace {

// Puts the running lane into the mask `where` and suspends it. A tail call.
inline void park(warp* w, uint32_t warp::* where) {
  w->*where |= 1u << current_lane();
  return suspend<full_switch>();
}

[[noreturn]] __attribute__((noinline, cold)) void refuse_mask(uint32_t mask, const char* operation, const void* place) {
  fail_at(place, error_launch_failure, "%s: lane %u called with mask 0x%08x, which does not name it", operation,
          current_lane(), mask);
}

// The last lane to arrive, which goes on.
__attribute__((noinline)) void complete_meeting(rendezvous* m) {
  warp* w = running.warp;
  const uint32_t arrived = m->arrived;
  w->open &= ~(1u << (m - w->meetings));
  m->mask = 0;
  resolve_meeting(*w, m->resolve, arrived);
  running.ready |= arrived & ~(1u << current_lane());
  w->block->worker->advance();
}

// One more lane comes to `m`. A tail call.
template <class Switch>
inline void join_meeting(rendezvous* m, uint32_t lane) {
  const uint32_t arrived = m->arrived | 1u << lane;
  m->arrived = arrived;
  if (__builtin_expect(arrived == m->needed, 0)) return complete_meeting(m);
  return suspend<Switch>();
}

// The lane does not come to the newest rendezvous: it comes to an older one, or is the first of a new one.
template <class Switch>
__attribute__((noinline)) void find_or_open_meeting(uint32_t mask, cohort_resolve resolve, const char* operation) {
  warp* w = running.warp;
  const uint32_t lane = current_lane();
  const uint32_t bit = 1u << lane;
  if (!(mask & bit)) {
    // Either noted, or this function was reached by tail calls and returns straight to the kernel.
    const void* noted = current_thread()->place;
    refuse_mask(mask, operation, noted ? noted : __builtin_return_address(0));
  }
  for (uint32_t open = w->open; open; open &= open - 1) {
    rendezvous* m = &w->meetings[lowest(open)];
    if (m->mask == mask && m->resolve == resolve) return join_meeting<Switch>(m, lane);
  }
  const uint32_t needed = mask & w->live;
  if (needed == bit) {
    resolve_meeting(*w, resolve, bit);
    return;
  }
  rendezvous* m = &w->meetings[lane];
  *m = {mask, needed, bit, resolve, operation};
  w->open |= bit;
  w->newest = running.newest = m;
  return suspend<Switch>();
}

template <class Switch>
inline void wait_warp(uint32_t mask, cohort_resolve resolve, void* operands, const char* operation) {
  const uint32_t lane = current_lane();
  running.warp->operands[lane] = operands;
  rendezvous* m = running.newest;
  const bool joins = m->mask == mask && m->resolve == resolve && (mask >> lane & 1);
  if (__builtin_expect(!joins, 0)) return find_or_open_meeting<Switch>(mask, resolve, operation);
  return join_meeting<Switch>(m, lane);
}

uint32_t wait_converged(uint32_t loop, uint64_t turn, const void* place, const void* frame) {
  thread* self = current_thread();
  warp* w = self->warp;
  if (w->block->worker->resolving) return self->lane_bit();  // an operator: nobody comes along
  // How deep the call stack is tells recursion levels apart.
  const uint32_t lane = lowest(self->lane_bit());
  w->parked_at[lane] = w->releases;
  w->results[lane] = static_cast<uint32_t>(self->stack->top - static_cast<const char*>(frame));
  w->loops[lane] = loop;
  w->turns[lane] = turn;
  self->place = place;
  park(w, &warp::converging);
  self->place = nullptr;
  return w->results[lane];
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
  return suspend<light_switch>();
}

uint32_t cohort_wait_converged(void) {
  return wait_converged(0, 0, __builtin_return_address(0), __builtin_frame_address(0));
}

uint32_t cohort_wait_converged_in(uint32_t loop, uint64_t turn) {
  return wait_converged(loop, turn, __builtin_return_address(0), __builtin_frame_address(0));
}

void cohort_wait_block(void) {
  COHORT_NOTE_PLACE();
  return suspend<full_switch>();
}

uint32_t cohort_wait_block_count(int predicate) {
  thread* self = current_thread();
  block* b = self->warp->block;
  b->count += predicate != 0;
  self->place = __builtin_return_address(0);
  suspend<full_switch>();
  self->place = nullptr;
  return b->counted;
}

void cohort_wait_yield(void) {
  thread* self = current_thread();
  const worker& mine = *self->warp->block->worker;
  // A kernel that runs as one loop has nobody to yield to; an operator that spins inside a rendezvous goes on alone.
  if (mine.loop_stack || mine.resolving) return;
  self->place = __builtin_return_address(0);
  const auto here = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(self->place));
  self->yields = self->spins_at == here ? self->yields + 1 : 1;
  self->spins_at = here;
  park(self->warp, &warp::spinning);
  self->place = nullptr;
}

void cohort_wait_sleep(uint32_t) { return cohort_wait_yield(); }

void cohort_wait_copies(uint32_t stages) {
  thread* self = current_thread();
  block* b = self->warp->block;
  if (b->copies_used) b->copies[self->thread_rank].make_all_but(stages);
}

}  // extern "C"
