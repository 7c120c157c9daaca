// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/outer_barrier.hpp"

#include "engine/state/grid.hpp"
#include "engine/sync/split_phase.hpp"
#include "engine/sync/team.hpp"

namespace cohort::engine {

namespace {

// The number of complete phases of an outer barrier.
uint32_t complete_phases(const block& b, int barrier) {
  switch (barrier) {
    case cohort_barrier_cluster:
      return b.cluster ? b.cluster->phase : b.outer_of(barrier).phase + 1;  // a block without a cluster never waits
    case cohort_barrier_grid:
      return b.grid->all_blocks.phase.load(std::memory_order_acquire);
    default:
      return b.grid->shared->all_blocks.phase.load(std::memory_order_acquire);
  }
}

void complete_cluster_phase_if_full(block& b) {
  cluster& c = *b.cluster;
  if (c.live == 0 || c.arrived != c.live) return;
  c.arrived = 0;
  ++c.phase;
  raise_event(cluster_synchronised{&b});
}

void arrive_at_cluster(block& b) {
  if (!b.cluster) return raise_event(cluster_synchronised{&b});
  ++b.cluster->arrived;
  complete_cluster_phase_if_full(b);
}

void arrive_at_grid(block& b) {
  arrival_counter& counter = b.grid->all_blocks;
  if (!counter.arrive()) return;
  raise_event(grid_synchronised{&b});
  counter.open();
  b.grid->shared->announce();
}

void arrive_at_multi_grid(block& b) {
  session& shared = *b.grid->shared;
  if (shared.all_blocks.arrive()) shared.transport->raise_phase();
}

// Runs the collective's resolve function. pre: all live lanes of the block wait in the collective
void resolve_outer_team(block& b, outer_barrier& o) {
  const cohort_resolve_team resolve = o.resolve;
  o.resolve = nullptr;
  const resolving now(*b.worker);
  resolve(b.threads_total, b.teams->operands);
}

[[noreturn]] __attribute__((cold, noinline)) void refuse_in_launch(int barrier, const void* place, const char* op_name,
                                                                   const char* needed) {
  const char* const group = group_name(barrier);
  if (!op_name) fail_at(place, error_launch_failure, "%s.sync() in a launch that is not %s", group, needed);
  fail_at(place, error_launch_failure, "%s of a %s in a launch that is not %s", op_name, group, needed);
}

}  // namespace

void send_arrival(block& b, int barrier) {
  outer_barrier& o = b.outer_of(barrier);
  if (o.resolve) resolve_outer_team(b, o);
  o.sent = true;
  b.worker->advance();
  switch (barrier) {
    case cohort_barrier_cluster:
      return arrive_at_cluster(b);
    case cohort_barrier_grid:
      return arrive_at_grid(b);
    default:
      return arrive_at_multi_grid(b);
  }
}

void open_outer_barriers(block& b, bool runs) {
  for (int barrier = cohort_barrier_cluster; barrier < cohort_barriers; ++barrier) {
    outer_barrier& o = b.outer_of(barrier);
    if (!o.sent || complete_phases(b, barrier) == o.phase) continue;
    o.sent = false;
    o.arrived = 0;
    ++o.phase;
    release_waiting(b, barrier, 0, b.warp_count, runs);
  }
}

void send_ready_arrivals(block& b) {
  for (int barrier = cohort_barrier_cluster; barrier < cohort_barriers; ++barrier) {
    const outer_barrier& o = b.outer_of(barrier);
    if (o.arrived == b.live && !o.sent) send_arrival(b, barrier);
  }
}

void leave_cluster(block& b) {
  if (b.left_cluster) return;
  b.left_cluster = true;
  const outer_barrier& barrier = b.outer_of(cohort_barrier_cluster);
  const bool arrived = barrier.sent && b.cluster->phase == barrier.phase;
  --b.cluster->live;
  if (arrived) --b.cluster->arrived;
  complete_cluster_phase_if_full(b);
}

void check_launch_has(const block& b, int barrier, const void* place, const char* op_name) {
  if (barrier == cohort_barrier_grid && !b.grid->launch->cooperative) {
    refuse_in_launch(barrier, place, op_name,
                     "cooperative; launch the kernel with cudaLaunchCooperativeKernel or cohort::launch_cooperative");
  }
  if (barrier == cohort_barrier_multi_grid && !b.grid->is_multi_device()) {
    refuse_in_launch(barrier, place, op_name,
                     "a multi-device launch; launch the kernel with cudaLaunchCooperativeKernelMultiDevice, "
                     "cohort::launch_multi_device or cohort::launch_world");
  }
}

void check_outer_wait(int barrier, const void* place) {
  block& b = *running.warp->block;
  check_launch_has(b, barrier, place);
  refuse_between_arrive_and_wait(b, *running.warp, current_lane()->bit(), barrier, place);
  outer_barrier& o = b.outer_of(barrier);
  if (o.resolve) refuse_other_collective(place, "sync", group_name_in(*b.grid, barrier), o.op_name);
  o.allowed = true;
}

void check_outer_team(int barrier, cohort_resolve_team resolve, const char* op_name, const void* place) {
  block& b = *running.warp->block;
  check_launch_has(b, barrier, place, op_name);
  refuse_between_arrive_and_wait(b, *running.warp, current_lane()->bit(), barrier, place);
  outer_barrier& o = b.outer_of(barrier);
  if (o.resolve == resolve) return;
  if (o.arrived)
    refuse_other_collective(place, op_name, group_name_in(*b.grid, barrier), o.resolve ? o.op_name : "sync");
  teams_of(b);
  o.resolve = resolve;
  o.op_name = op_name;
  o.allowed = false;
}

}  // namespace cohort::engine
