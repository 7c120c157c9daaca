// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of lanes of a warp. Each lane leaves the address of its operands. The last one to arrive runs the resolve
// function over all of them, makes the other lanes ready, and continues. Every path through wait_warp() ends in a tail
// call.
#pragma once

#include "engine/sync/suspend.hpp"

namespace cohort::engine {

// Runs `resolve` for `lanes` of `w`, which have all arrived.
inline void resolve_rendezvous(warp& w, cohort_resolve resolve, uint32_t lanes) {
  if (!resolve) return;
  const resolving now(*w.block->worker);
  resolve(lanes, w.operands);
}
inline void raise_completion(const warp& w, cohort_resolve resolve, uint32_t lanes) {
  if (!has_listener()) return;
  if (resolve) return tell_listeners(lanes_exchanged{{&w, lanes}});
  tell_listeners(lanes_synchronised{{&w, lanes}});
}

// Completes `r`: the current lane is the last one to arrive, and continues.
__attribute__((noinline)) inline void complete_rendezvous(rendezvous* r) {
  warp* w = running.warp;
  const uint32_t arrived = r->arrived;
  w->open &= ~(1u << (r - w->opened));
  r->mask = 0;
  const cohort_resolve resolve = r->resolve;
  resolve_rendezvous(*w, resolve, arrived);
  running.ready |= arrived & ~(1u << current_lane_number());
  w->block->worker->advance();
  raise_completion(*w, resolve, arrived);
}

// Completes each rendezvous of `w` at which a lane that has returned was the last one missing.
inline void complete_ready_rendezvous(warp& w) {
  for (uint32_t open = w.open; open; open &= open - 1) {
    const uint32_t opener = lowest(open);
    rendezvous& r = w.opened[opener];
    r.needed = r.mask & w.live;
    if (r.arrived != r.needed) continue;
    w.open &= ~(1u << opener);
    r.mask = 0;
    resolve_rendezvous(w, r.resolve, r.arrived);
    w.ready |= r.arrived;
    raise_completion(w, r.resolve, r.arrived);
  }
}

// Fails the launch: the mask does not name the caller.
[[noreturn]] __attribute__((noinline, cold)) inline void refuse_mask(uint32_t lane_number, uint32_t mask,
                                                                     const char* op_name, const void* place) {
  fail_at(place, error_launch_failure, "%s: lane %u called with mask 0x%08x, which does not name it", op_name,
          lane_number, mask);
}

template <class Switch>
inline void join_rendezvous(rendezvous* r, uint32_t lane_number) {
  const uint32_t arrived = r->arrived | 1u << lane_number;
  r->arrived = arrived;
  if (__builtin_expect(arrived == r->needed, 0)) return complete_rendezvous(r);
  return suspend<Switch>();
}

// Joins an older rendezvous, or opens a new one, if the current lane does not join the one opened last.
template <class Switch>
__attribute__((noinline)) void find_or_open_rendezvous(uint32_t mask, cohort_resolve resolve, const char* op_name) {
  warp* w = running.warp;
  const uint32_t lane_number = current_lane_number();
  const uint32_t bit = 1u << lane_number;
  if (!(mask & bit)) {
    // The place that note_place() stored. If it stored none, all calls from the kernel to here are tail calls, and the
    // return address is the place in the kernel.
    const void* noted = current_lane()->place;
    refuse_mask(lane_number, mask, op_name, noted ? noted : __builtin_return_address(0));
  }
  for (uint32_t open = w->open; open; open &= open - 1) {
    rendezvous* r = &w->opened[lowest(open)];
    if (r->mask == mask && r->resolve == resolve) return join_rendezvous<Switch>(r, lane_number);
  }
  const uint32_t needed = mask & w->live;
  if (needed == bit) {
    resolve_rendezvous(*w, resolve, bit);
    return raise_completion(*w, resolve, bit);
  }
  rendezvous* r = &w->opened[lane_number];
  *r = {mask, needed, bit, resolve, op_name};
  w->open |= bit;
  w->last_opened = running.last_opened = r;
  return suspend<Switch>();
}

template <class Switch>
inline void wait_warp(uint32_t mask, cohort_resolve resolve, void* operands, const char* op_name, const void* place) {
  note_place(place);
  const uint32_t lane_number = current_lane_number();
  running.warp->operands[lane_number] = operands;
  rendezvous* r = running.last_opened;
  const bool joins = r->mask == mask && r->resolve == resolve && (mask >> lane_number & 1);
  if (__builtin_expect(!joins, 0)) return find_or_open_rendezvous<Switch>(mask, resolve, op_name);
  return join_rendezvous<Switch>(r, lane_number);
}

}  // namespace cohort::engine
