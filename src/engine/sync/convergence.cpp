// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/convergence.hpp"

#include "engine/sync/suspend.hpp"

namespace cohort::engine {

namespace {

// Releases after which the lanes that have waited longest go first, at any point. Counts only releases in loops that
// may wait for other lanes: other loops end, and their lanes then join those after the loop.
constexpr uint32_t starvation_limit = 64;

// Compares two points of one function call: negative if lanes pass `a` first. In a common loop the earlier iteration
// goes first, otherwise the earlier site.
int compare_in_call(const cohort_path& a, const cohort_path& b) {
  const cohort_site &at = *a.site, &other = *b.site;
  for (uint32_t i = 0; i < at.loop_count && i < other.loop_count && at.loops[i] == other.loops[i]; ++i) {
    if (a.iterations[i] != b.iterations[i]) return a.iterations[i] < b.iterations[i] ? -1 : 1;
  }
  return at.position < other.position ? -1 : at.position > other.position;
}

uint32_t length(const cohort_path* path) {
  uint32_t calls = 0;
  for (; path; path = path->caller) ++calls;
  return calls;
}

// Compares two paths by their outermost difference. Of two points on one path, the deeper one goes first.
int compare(const cohort_path* a, const cohort_path* b) {
  const uint32_t calls_a = length(a), calls_b = length(b);
  for (uint32_t i = calls_b; i < calls_a; ++i) a = a->caller;
  for (uint32_t i = calls_a; i < calls_b; ++i) b = b->caller;
  int result = calls_a > calls_b ? -1 : calls_a < calls_b;
  for (; a; a = a->caller, b = b->caller) {
    if (const int difference = compare_in_call(*a, *b)) result = difference;
  }
  return result;
}

// Negative if lane a's point is released before lane b's, 0 if the points are equal. Plain C++ kernels have no paths:
// in them the deepest call goes first, then the lowest code address.
int compare_points(const warp& w, uint32_t a, uint32_t b) {
  if (w.path[a] && w.path[b]) return compare(w.path[a], w.path[b]);
  if (w.depth[a] != w.depth[b]) return w.depth[a] > w.depth[b] ? -1 : 1;
  const auto place_a = reinterpret_cast<uintptr_t>(w.lanes[a].place);
  const auto place_b = reinterpret_cast<uintptr_t>(w.lanes[b].place);
  return place_a < place_b ? -1 : place_a > place_b;
}

bool may_spin(const cohort_path* path) {
  if (!path) return true;
  for (; path; path = path->caller) {
    if (path->site->may_spin) return true;
  }
  return false;
}

// The lane at the first point in program order: arms of a branch before the code after it, bodies of loops before their
// exits, so lanes converge where a GPU's lanes would (S. Collange, "Stack-less SIMT reconvergence at low cost", 2011).
uint32_t next_to_converge(const warp& w) {
  uint32_t oldest = lowest(w.converging);
  uint32_t first = oldest;
  for (uint32_t left = w.converging; left; left &= left - 1) {
    const uint32_t lane = lowest(left);
    if (w.releases - w.waiting_since[lane] > w.releases - w.waiting_since[oldest]) oldest = lane;
    if (compare_points(w, lane, first) < 0) first = lane;
  }
  return w.releases - w.waiting_since[oldest] > starvation_limit ? oldest : first;
}

}  // namespace

uint32_t wait_converged(const cohort_path* path, const void* place, const void* frame) {
  lane* self = current_lane();
  warp* w = self->warp;
  if (w->block->worker->resolving) return self->bit();  // an operator: one lane runs it for all
  const uint32_t number = self->number();
  w->waiting_since[number] = w->releases;
  w->depth[number] = static_cast<uint32_t>(self->fiber->stack->top - static_cast<const char*>(frame));
  w->path[number] = path;
  w->converging |= self->bit();
  suspend_at(place);
  return w->converged[number];
}

bool release_converging(warp& w) {
  for (uint32_t spinning = w.spinning; spinning; spinning &= spinning - 1) {
    if (w.lanes[lowest(spinning)].yields < stale_yields) return false;
  }
  const uint32_t first = next_to_converge(w);
  uint32_t group = 0;
  for (uint32_t left = w.converging; left; left &= left - 1) {
    if (compare_points(w, lowest(left), first) == 0) group |= 1u << lowest(left);
  }
  for (uint32_t left = group; left; left &= left - 1) w.converged[lowest(left)] = group;
  w.converging &= ~group;
  w.ready |= group;
  w.releases += may_spin(w.path[first]);
  w.block->worker->advance();
  return true;
}

}  // namespace cohort::engine
