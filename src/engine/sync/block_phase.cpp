// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/block_phase.hpp"

#include "engine/sync/split_phase.hpp"
#include "engine/sync/suspend.hpp"

namespace cohort::engine {

void resolve_block_collective(block& b) {
  const cohort_resolve_team resolve = b.barrier.resolve;
  b.barrier.resolve = nullptr;
  for (uint32_t i = 0; i < b.warp_count; ++i) b.warps[i].in_collective = 0;
  const resolving now(*b.worker);
  resolve(b.threads_total, b.teams->operands);
}

bool block_votes_agree(const block& b) {
  for (const uint32_t votes : b.barrier.votes) {
    if (votes == b.live) return true;
  }
  return false;
}

void pass_split_block_barrier(block& b) {
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    split_lanes& s = b.splits->warps[i];
    s.passed[cohort_barrier_block] |= s.arrived[cohort_barrier_block];
    s.arrived[cohort_barrier_block] = 0;
  }
}

bool split_block_barrier_is_full(block& b) {
  uint32_t waiting_lanes = 0;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    const warp& w = b.warps[i];
    if ((w.at_block | b.splits->warps[i].arrived[cohort_barrier_block]) != w.live) return false;
    waiting_lanes |= w.at_block;
  }
  if (!waiting_lanes || !block_waits_for_one_thing(b)) return false;
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    const split_lanes& s = b.splits->warps[i];
    const uint32_t between = b.warps[i].at_block & (s.arrived[cohort_barrier_block] | s.passed[cohort_barrier_block]);
    if (!between) continue;
    const lane& l = b.warps[i].lanes[lowest(between)];
    failure& f = b.worker->failed;
    f = {};
    f.error = error_launch_failure;
    f.sentence = std::string(group_name(cohort_barrier_block)) + "." + sync_between_arrive_and_wait;
    f.place = l.waits_at();
    f.failed_lane = &l;
    return false;
  }
  return true;
}

}  // namespace cohort::engine
