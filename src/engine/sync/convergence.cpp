// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convergence.hpp"

#include "suspend.hpp"

namespace cohort::engine {

namespace {

// Releases after which the lanes that have waited longest go first, wherever they are.
constexpr uint32_t starvation_limit = 64;

// Lane a goes before lane b. In one loop the lane in the earlier iteration goes first, else the one at the lower
// address.
bool goes_before(const warp& w, uint32_t a, uint32_t b) {
  if (w.loop[a] == w.loop[b] && w.iteration[a] != w.iteration[b]) return w.iteration[a] < w.iteration[b];
  return w.lanes[a].place < w.lanes[b].place;
}

// The deepest call first, then the earliest iteration of a loop, then the lowest code address: arms of a branch before
// the code behind it, bodies of loops before their exits, so that lanes converge where a GPU's lanes would
// (S. Collange, "Stack-less SIMT reconvergence at low cost", 2011).
uint32_t next_to_converge(const warp& w) {
  uint32_t oldest = lowest(w.converging);
  uint32_t first = oldest;
  for (uint32_t left = w.converging; left; left &= left - 1) {
    const uint32_t lane = lowest(left);
    if (w.releases - w.waiting_since[lane] > w.releases - w.waiting_since[oldest]) oldest = lane;
    const uint32_t depth = w.depth[lane];
    if (depth > w.depth[first] || (depth == w.depth[first] && goes_before(w, lane, first))) first = lane;
  }
  return w.releases - w.waiting_since[oldest] > starvation_limit ? oldest : first;
}

bool are_at_one_point(const warp& w, uint32_t a, uint32_t b) {
  return w.lanes[a].place == w.lanes[b].place && w.depth[a] == w.depth[b] && w.loop[a] == w.loop[b] &&
         w.iteration[a] == w.iteration[b];
}

}  // namespace

uint32_t wait_converged(uint32_t loop, uint64_t iteration, const void* place, const void* frame) {
  lane* self = current_lane();
  warp* w = self->warp;
  if (w->block->worker->resolving) return self->bit();  // an operator: one lane runs it for all
  const uint32_t number = self->number();
  w->waiting_since[number] = w->releases;
  w->depth[number] = static_cast<uint32_t>(self->fiber->stack->top - static_cast<const char*>(frame));
  w->loop[number] = loop;
  w->iteration[number] = iteration;
  self->place = place;
  w->converging |= self->bit();
  suspend<full_switch>();
  self->place = nullptr;
  return w->converged[number];
}

bool release_converging(warp& w) {
  for (uint32_t spinning = w.spinning; spinning; spinning &= spinning - 1) {
    if (w.lanes[lowest(spinning)].yields < stale_yields) return false;
  }
  const uint32_t first = next_to_converge(w);
  uint32_t group = 0;
  for (uint32_t left = w.converging; left; left &= left - 1) {
    if (are_at_one_point(w, lowest(left), first)) group |= 1u << lowest(left);
  }
  for (uint32_t left = group; left; left &= left - 1) w.converged[lowest(left)] = group;
  w.converging &= ~group;
  w.ready |= group;
  ++w.releases;
  w.block->worker->advance();
  return true;
}

}  // namespace cohort::engine
