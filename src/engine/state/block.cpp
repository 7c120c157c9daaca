// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/state/block.hpp"

#include <algorithm>

#include "engine/state/grid.hpp"
#include "engine/state/storage.hpp"
#include "engine/state/worker.hpp"

namespace cohort::engine {

namespace {

// Registers for the fast path under a schedule: it finds none to resume, so each wait takes the slow path. The fibers
// have the registers in use.
context never_resumable[lanes_per_warp];

}  // namespace

void block::shape(const uint32_t (&dim)[3]) {
  if (lanes && dim[0] == block_dim[0] && dim[1] == block_dim[1] && dim[2] == block_dim[2]) return;
  const uint32_t total = dim[0] * dim[1] * dim[2];
  for (int axis = 0; axis < 3; ++axis) block_dim[axis] = dim[axis];
  block_dim[3] = 0;
  if (total != threads_total) {
    lanes.reset(new lane[total]());
    fibers.reset(new fiber[total]());
    registers.reset(new context[total]());
    constexpr size_t alignment = 64;
    static_assert(cohort_turn_bytes % alignment == 0);
    exchange_memory.reset(new char[cohort_turn_bytes + total * cohort_exchange_bytes + alignment]);
    char* const start = align_up(exchange_memory.get(), alignment);
    std::memset(start, 0, cohort_turn_bytes);
    exchange = start + cohort_turn_bytes;
  }
  threads_total = total;
  warp_count = (total + lanes_per_warp - 1) / lanes_per_warp;
  for (uint32_t i = 0; i < warp_count; ++i) {
    warps[i].block = this;
    warps[i].lanes = &lanes[i * lanes_per_warp];
    warps[i].registers = worker && worker->schedule ? never_resumable : &registers[i * lanes_per_warp];
    warps[i].bit = 1u << i;
  }
  for (uint32_t block_thread_rank = 0; block_thread_rank < total; ++block_thread_rank) {
    lane& l = lanes[block_thread_rank];
    l.thread_index[0] = block_thread_rank % dim[0];
    l.thread_index[1] = block_thread_rank / dim[0] % dim[1];
    l.thread_index[2] = block_thread_rank / dim[0] / dim[1];
    l.thread_rank = block_thread_rank;
    l.block = this;
    l.warp = &warps[block_thread_rank / lanes_per_warp];
    l.fiber = &fibers[block_thread_rank];
    l.fiber->registers = &registers[block_thread_rank];
  }
}

void block::begin(engine::grid& g, uint64_t new_rank) {
  grid = &g;
  rank = new_rank;
  for (int axis = 0; axis < 3; ++axis) grid_dim[axis] = g.launch->grid[axis];
  grid_dim[3] = 0;
  set_index(block_index, grid_dim, new_rank);
  for (int axis = 0; axis < 3; ++axis) cluster_dim[axis] = g.cluster[axis];
  device = static_cast<uint32_t>(g.launch->device);
  shared.provide(*g.launch->kernel, g.launch->dynamic_shared_bytes, g.cluster_blocks > 1);
  static_shared = shared.static_start();
  dynamic_shared = shared.dynamic_start();
  cluster = nullptr;
  left_cluster = false;
  for (uint32_t i = 0; i < warp_count; ++i) {
    warp& w = warps[i];
    if (!w.open) continue;  // open only if the block failed
    for (rendezvous& r : w.opened) r.mask = 0;
  }
  begin_waits();
  begin_warps();
}

void block::begin_again(uint64_t new_rank) {
  const bool is_next = new_rank == rank + 1 && block_index[0] + 1 < grid_dim[0];
  rank = new_rank;
  if (is_next) {
    ++block_index[0];
  } else {
    set_index(block_index, grid_dim, new_rank);
  }
  begin_waits();
}

void block::begin_waits() {
  live = threads_total;
  barrier = {};
  for (outer_barrier& o : outer) o = {};
  splits.forget();
  teams.forget();
  named.forget();
  mbarriers.forget();
  copies.forget();
  bulk.forget();
  warpgroups.forget();
  scratch.forget();
}

void block::begin_warps() {
  warps_ready = warp_count == warps_per_block ? ~0u : (1u << warp_count) - 1;
  for (uint32_t i = 0; i < warp_count; ++i) {
    warp& w = warps[i];
    w.live = w.ready = lanes_of_warp(i);
    w.at_block = w.at_wide = w.converging = w.spinning = w.in_collective = w.open = 0;
    w.last_opened = w.opened;
  }
}

void block::begin_lanes() {
  for (uint32_t i = 0; i < warp_count; ++i) warps[i].live = lanes_of_warp(i);
}

copy_table& block::begin_copies() {
  if (!copies.is_used()) {
    copies.use().resize(threads_total);
    for (late_copies& of_lane : *copies) of_lane.forget();
  }
  return *copies;
}

void block::forget_waiters() {
  for (auto& at_barrier : waiting) {
    for (uint32_t& lanes_of_warp : at_barrier) lanes_of_warp = 0;
  }
  for (uint32_t i = 0; i < threads_total; ++i) lanes[i].place = nullptr;
}

bool block::waits_outside() const {
  for (uint32_t k = 0; k < outer_barriers; ++k) {
    if (!outer[k].sent) continue;
    for (uint32_t i = 0; i < warp_count; ++i) {
      if (waiting[cohort_barrier_cluster + k][i]) return true;
    }
  }
  return false;
}

bool block::waits_for_cluster() const {
  if (!cluster || !mbarriers.is_used()) return false;
  return std::any_of(mbarriers->waiting, mbarriers->waiting + warp_count, [](uint32_t lanes) { return lanes != 0; });
}

bool block::spins() const {
  for (uint32_t i = 0; i < warp_count; ++i) {
    if (warps[i].spinning || (mbarriers.is_used() && mbarriers->trying[i])) return true;
  }
  return false;
}

uint32_t block::lanes_at_barrier() const {
  uint32_t count = 0;
  for (uint32_t i = 0; i < warp_count; ++i) count += static_cast<uint32_t>(__builtin_popcount(warps[i].at_block));
  return count;
}

uint32_t block::lanes_in_collective() const {
  uint32_t count = 0;
  for (uint32_t i = 0; i < warp_count; ++i) count += static_cast<uint32_t>(__builtin_popcount(warps[i].in_collective));
  return count;
}

uint32_t block::threads_arrived(const named_barrier& n) const {
  uint32_t count = 0;
  for (uint32_t i = 0; i < warp_count; ++i) {
    const bool is_whole = n.arrived[i] && !(warps[i].live & ~n.arrived[i]);
    count += is_whole && n.threads ? lanes_per_warp : static_cast<uint32_t>(__builtin_popcount(n.arrived[i]));
  }
  return count;
}

}  // namespace cohort::engine
