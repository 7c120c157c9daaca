// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/failed_lanes.hpp"

#include <algorithm>
#include <iterator>

#include "engine/execute/fibers.hpp"
#include "engine/execute/forked_copy.hpp"
#include "engine/report/fault.hpp"
#include "engine/report/report.hpp"
#include "engine/state/gang.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/gang/retire_lanes.hpp"
#include "engine/sync/gang/suspend_gang.hpp"

namespace cohort::engine {

namespace {

uint64_t cluster_of(const block& b) {
  uint64_t number = 0;
  for (int axis = 2; axis >= 0; --axis) {
    number = number * (b.grid_dim[axis] / b.cluster_dim[axis]) + b.block_index[axis] / b.cluster_dim[axis];
  }
  return number;
}

}  // namespace

failed_lane run_on_fibers(worker& w, uint64_t cluster, uint64_t rank) {
  w.grid->shared->claim();  // the copy writes no report
  w.failed = {};
  w.silent = true;
  w.resolving = false;
  fibers::set_up(w);
  fibers again;
  again.run_cluster(w, cluster);
  const lane* failed = current_lane();
  if (!w.failed.needs_lane() || !failed) return {};
  failed_lane result{};
  result.signal = w.failed.signal;
  result.overrun = w.failed.overrun;
  result.rank = failed->thread_rank;
  result.same_block = failed->warp->block->rank == rank;
  result.overflow = failed->fiber->stack->guards(w.failed.address);
  result.misaligned = w.failed.misaligned;
  result.place = w.failed.place;
  result.address = w.failed.address;
  result.caller_count = w.failed.caller_count;
  std::copy(std::begin(w.failed.callers), std::end(w.failed.callers), result.callers);
  return result;
}

void fail_gang_assert(const char* expression, const char* file, int line, const char* function) {
  note_assertion(expression, file, line, function);
  // Waits that need the lane must never complete. A loop over the gangs of a block has no waits, and its gangs share
  // one lane.
  if (current_worker()->may_wait) set_aside_lane(*current_gang(), current_lane()->thread_rank);
}

void note_failed_lanes(worker& w, const gang& g) {
  const bool loops = w.failed.signal == abandon_signal();
  failure& f = w.failed;
  f.threads.clear();
  for (uint32_t lane = 0; lane < g.shape.lanes; ++lane) {
    const uint32_t word = lane / lanes_per_warp;
    const uint32_t candidates = loops ? g.looping[word] & g.live[word] : g.live[word];
    if (candidates >> lane % lanes_per_warp & 1) f.threads.push_back(g.shape.first_rank + lane);
  }
  f.lane_known = f.threads.size() == 1;
}

// The kernel runs again in a forked copy of the process. Its writes and its output end with the copy. Barriers of the
// grid that were passed count as complete there.
void find_failed_lanes(worker& w, gang& g) {
  const failure first = w.failed;
  const block& b = *g.table->block;
  failed_lane answer{};
  const bool answered = first.signal != abandon_signal() &&
                        ask_forked_copy(answer, [&] { return run_on_fibers(w, cluster_of(b), b.rank); });
  if (!answered || !first.is_like(answer.signal, answer.overrun) || !answer.same_block) {
    note_failed_lanes(w, g);
    if (w.failed.lane_known) g.name_thread(static_cast<uint32_t>(w.failed.threads.front()));
    return;
  }
  w.failed.place = answer.place;
  w.failed.caller_count = answer.caller_count;
  std::copy(std::begin(answer.callers), std::end(answer.callers), w.failed.callers);
  w.failed.misaligned = answer.misaligned;
  w.failed.address = answer.overflow ? g.runner.stack->low - 1 : answer.address;
  g.name_thread(answer.rank);
}

}  // namespace cohort::engine
