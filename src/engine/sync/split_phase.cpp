// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split_phase.hpp"

#include "../state/cluster.hpp"
#include "../state/grid.hpp"
#include "suspend.hpp"
#include "team.hpp"

namespace cohort::engine {

namespace {

// Phases of an outer barrier that are complete.
uint32_t completed(const block& b, int barrier) {
  switch (barrier) {
    case cohort_barrier_cluster:
      return b.cluster ? b.cluster->phase : b.outer[0].phase + 1;  // alone: at once
    case cohort_barrier_grid:
      return b.grid->all_blocks.phase.load(std::memory_order_acquire);
    default:
      return b.grid->shared->all_blocks.phase.load(std::memory_order_acquire);
  }
}

void send(block& b, int barrier) {
  outer_barrier& o = b.outer_of(barrier);
  o.sent = true;
  b.worker->advance();
  session& shared = *b.grid->shared;
  if (barrier == cohort_barrier_cluster) {
    if (b.cluster) b.cluster->arrive();
  } else if ((barrier == cohort_barrier_grid ? b.grid->all_blocks : shared.all_blocks).arrive()) {
    shared.announce();
  }
}

split_lanes& splits_of(block& b, const warp& w) {
  if (!b.splits_used) {
    if (!b.splits) b.splits = std::make_unique<split_lanes[]>(lanes_per_warp);
    for (uint32_t i = 0; i < b.warp_count; ++i) b.splits[i] = {};
    b.splits_used = true;
  }
  return b.splits_of(w);
}

constexpr const char* whole_between_halves =
    "sync() between barrier_arrive() and barrier_wait() of the same thread; wait first";

[[noreturn]] __attribute__((cold, noinline)) void misuse(const void* place, int barrier, const char* what) {
  fail_at(place, error_launch_failure, "%s.%s", name_of(barrier), what);
}

// The group can synchronise in this launch, or the launch fails.
void check_launch_allows(const block& b, int barrier, const void* place) {
  if (barrier == cohort_barrier_grid && !b.grid->launch->cooperative) {
    fail_at(place, error_launch_failure,
            "grid_group.sync() in a launch that is not cooperative; launch the kernel with cudaLaunchCooperativeKernel "
            "or cohort::launch_cooperative");
  }
  if (barrier == cohort_barrier_multi_grid && !b.grid->is_multi_device()) {
    fail_at(place, error_launch_failure,
            "multi_grid_group.sync() in a launch that is not a multi-device launch; launch the kernel with "
            "cudaLaunchCooperativeKernelMultiDevice or cohort::launch_multi_device");
  }
}

// The block's last thread has come; like the others, it waits.
template <class Switch>
__attribute__((noinline)) void send_and_wait(int barrier) {
  send(*running.warp->block, barrier);
  return suspend<Switch>();
}

template <class Switch>
inline void join_outside(int barrier) {
  warp* w = running.warp;
  block* b = w->block;
  const uint32_t rank = current_thread()->thread_rank;
  const uint32_t bit = 1u << rank % lanes_per_warp;
  b->waiting[barrier][rank / lanes_per_warp] |= bit;
  w->at_wide |= bit;
  if (++b->outer_of(barrier).arrived == b->live) return send_and_wait<Switch>(barrier);
  return suspend<Switch>();
}

// The first barrier of a kind, and what only matters where barriers come apart.
template <class Switch>
__attribute__((noinline)) void check_and_join_outside(int barrier, const void* place) {
  block& b = *running.warp->block;
  check_launch_allows(b, barrier, place);
  check_not_between_halves(b, *running.warp, current_thread()->lane_bit(), barrier, place);
  b.outer_of(barrier).allowed = true;
  return join_outside<Switch>(barrier);
}

// The whole barrier of a group beyond the block. Each way ends in a jump.
template <class Switch>
inline void wait_outside(int barrier, const void* place) {
  block* b = running.warp->block;
  if (__builtin_expect(!b->outer_of(barrier).allowed | b->splits_used, 0))
    return check_and_join_outside<Switch>(barrier, place);
  return join_outside<Switch>(barrier);
}

}  // namespace

void check_not_between_halves(block& b, const warp& w, uint32_t bit, int barrier, const void* place) {
  if (!b.splits_used) return;
  const split_lanes& s = b.splits_of(w);
  if ((s.arrived[barrier] | s.passed[barrier]) & bit) {
    misuse(place, barrier, whole_between_halves);
  }
}

const char* name_of(int barrier) {
  static const char* const names[] = {
      "thread_block_tile<64>",   "thread_block_tile<128>", "thread_block_tile<256>", "thread_block_tile<512>",
      "thread_block_tile<1024>", "thread_block",           "cluster_group",          "grid_group",
      "multi_grid_group"};
  return names[barrier];
}

void open_barrier(block& b, int barrier, uint32_t first, uint32_t end, bool runs) {
  for (uint32_t i = first; i < end; ++i) {
    warp& w = b.warps[i];
    const uint32_t lanes = b.waiting[barrier][i];
    b.waiting[barrier][i] = 0;
    w.at_wide &= ~lanes;
    if (runs && &w == running.warp) {
      running.ready |= lanes;
    } else if (lanes) {
      w.ready |= lanes;
      b.warps_ready |= w.bit;
    }
    if (b.splits_used) {
      b.splits[i].passed[barrier] |= b.splits[i].arrived[barrier];
      b.splits[i].arrived[barrier] = 0;
    }
  }
  b.worker->advance();
}

void open_outer_barriers(block& b, bool runs) {
  for (int barrier = cohort_barrier_cluster; barrier < cohort_barriers; ++barrier) {
    outer_barrier& o = b.outer_of(barrier);
    if (!o.sent || completed(b, barrier) == o.phase) continue;
    o.sent = false;
    o.arrived = 0;
    ++o.phase;
    open_barrier(b, barrier, 0, b.warp_count, runs);
  }
}

void leave_barriers(block& b, warp& w, uint32_t lane_bit) {
  if (b.splits_used) {
    split_lanes& s = b.splits_of(w);
    for (int barrier = 0; barrier < cohort_barriers; ++barrier) {
      if (s.arrived[barrier] & lane_bit) {
        if (barrier < cohort_barrier_block) {
          const uint32_t rank = static_cast<uint32_t>(&w - b.warps) * lanes_per_warp + lowest(lane_bit);
          --b.teams->teams[place_in(b, barrier, rank).index].arrived;
        } else if (barrier > cohort_barrier_block) {
          --b.outer_of(barrier).arrived;
        }
      }
      s.arrived[barrier] &= ~lane_bit;
      s.passed[barrier] &= ~lane_bit;
    }
  }
  if (!b.live) return;
  for (int barrier = cohort_barrier_cluster; barrier < cohort_barriers; ++barrier) {
    const outer_barrier& o = b.outer_of(barrier);
    if (o.arrived == b.live && !o.sent) send(b, barrier);
  }
}

// Sets worker::failed, which ends the launch, where a thread waits at the whole barrier between its two halves.
bool block::split_barrier_is_full() {
  uint32_t waiting_lanes = 0;
  for (uint32_t i = 0; i < warp_count; ++i) {
    if ((warps[i].at_block | splits[i].arrived[cohort_barrier_block]) != warps[i].live) return false;
    waiting_lanes |= warps[i].at_block;
  }
  if (!waiting_lanes || (collective && !collective_is_full())) return false;
  for (uint32_t i = 0; i < warp_count; ++i) {
    split_lanes& s = splits[i];
    const uint32_t between = warps[i].at_block & (s.arrived[cohort_barrier_block] | s.passed[cohort_barrier_block]);
    if (between) {
      thread& t = warps[i].threads[lowest(between)];
      worker->failed = {};
      worker->failed.error = error_launch_failure;
      worker->failed.sentence = std::string(name_of(cohort_barrier_block)) + "." + whole_between_halves;
      worker->failed.place = t.waits_at();
      worker->failed.who = &t;
      return false;
    }
  }
  return true;
}

}  // namespace cohort::engine

using namespace cohort::engine;

extern "C" {

// The light entries are for callers that preserve no registers; without parameters they need no entry of their own.
void cohort_wait_cluster_light(void);
void cohort_wait_grid_light(void);
void cohort_wait_multi_grid_light(void);

#define COHORT_OUTER_BARRIER(name, barrier)                                  \
  void name(void) {                                                          \
    COHORT_NOTE_PLACE();                                                     \
    return wait_outside<full_switch>(barrier, __builtin_return_address(0));  \
  }                                                                          \
  void name##_light(void) {                                                  \
    COHORT_NOTE_PLACE();                                                     \
    return wait_outside<light_switch>(barrier, __builtin_return_address(0)); \
  }
COHORT_OUTER_BARRIER(cohort_wait_cluster, cohort_barrier_cluster)
COHORT_OUTER_BARRIER(cohort_wait_grid, cohort_barrier_grid)
COHORT_OUTER_BARRIER(cohort_wait_multi_grid, cohort_barrier_multi_grid)

uint32_t cohort_wait_arrive(int barrier, const char* operation) {
  thread* self = current_thread();
  warp* w = self->warp;
  block* b = w->block;
  const void* place = __builtin_return_address(0);
  const uint32_t bit = self->lane_bit();
  if (b->worker->resolving) misuse(place, barrier, "barrier_arrive() by the operator of a collective");
  check_launch_allows(*b, barrier, place);
  split_lanes& s = splits_of(*b, *w);
  if (barrier > cohort_barrier_block) open_outer_barriers(*b, true);
  if ((s.arrived[barrier] | s.passed[barrier]) & bit) {
    misuse(place, barrier, "barrier_arrive() twice without a barrier_wait() in between");
  }
  s.arrived[barrier] |= bit;
  if (barrier == cohort_barrier_block) return b->phase;
  if (barrier > cohort_barrier_block) {
    const uint32_t token = b->outer_of(barrier).phase;
    if (++b->outer_of(barrier).arrived == b->live) send(*b, barrier);
    return token;
  }
  team_table& table = teams_of(*b);
  const team_place p = place_in(*b, barrier, self->thread_rank);
  team& t = table.teams[p.index];
  if (t.arrived == 0) {
    t.resolve = nullptr;
    t.operation = operation;
  } else if (t.resolve) {
    misuse(place, barrier, "barrier_arrive() while other threads of the group wait in another collective");
  }
  const uint32_t token = t.phase;
  if (++t.arrived == t.live) complete_team(*b, p, true);
  return token;
}

void cohort_wait_token(int barrier, uint32_t token, const char* operation) {
  thread* self = current_thread();
  warp* w = self->warp;
  block* b = w->block;
  const void* place = __builtin_return_address(0);
  const uint32_t bit = self->lane_bit();
  (void)operation;
  check_launch_allows(*b, barrier, place);
  split_lanes& s = splits_of(*b, *w);
  if (barrier > cohort_barrier_block) open_outer_barriers(*b, true);
  uint32_t phase = b->phase;
  if (barrier > cohort_barrier_block) phase = b->outer_of(barrier).phase;
  if (barrier < cohort_barrier_block) phase = teams_of(*b).teams[place_in(*b, barrier, self->thread_rank).index].phase;
  const bool passes = s.passed[barrier] & bit;
  if (!passes && !(s.arrived[barrier] & bit)) {
    misuse(place, barrier, "barrier_wait() without a barrier_arrive() before it: each token can be used once");
  }
  if (token != COHORT_NEWEST_ARRIVAL && token != phase - (passes ? 1 : 0)) {
    misuse(place, barrier, "barrier_wait() with the token of another phase or of another barrier");
  }
  if (passes) {
    s.passed[barrier] &= ~bit;
    return;
  }
  s.arrived[barrier] &= ~bit;
  if (barrier != cohort_barrier_block) {  // there, who waits for nothing else waits for the barrier
    b->waiting[barrier][w - b->warps] |= bit;
    w->at_wide |= bit;
  }
  self->place = place;
  suspend<full_switch>();
  self->place = nullptr;
}

}  // extern "C"
