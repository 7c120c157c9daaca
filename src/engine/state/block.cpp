// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block.hpp"

#include <cstddef>

#include "../sync/team.hpp"
#include "cluster.hpp"
#include "grid.hpp"
#include "late_copies.hpp"

// The compiler plugin reads these offsets (see port.hpp).
static_assert(offsetof(cohort_block_context, block_index) == 0);
static_assert(offsetof(cohort_block_context, block_dim) == 16);
static_assert(offsetof(cohort_block_context, grid_dim) == 32);
static_assert(offsetof(cohort_block_context, static_shared) == 48);
static_assert(offsetof(cohort_block_context, dynamic_shared) == 56);
static_assert(offsetof(cohort_block_context, cluster_dim) == 64);
static_assert(offsetof(cohort_block_context, device) == 76);
static_assert(offsetof(cohort_block_context, exchange) == 80);
static_assert(offsetof(cohort_thread_context, thread_index) == 0);
static_assert(offsetof(cohort_thread_context, thread_rank) == 12);
static_assert(offsetof(cohort_thread_context, block) == 16);

namespace cohort::engine {

block::block() = default;
block::~block() = default;

void block::shape(const uint32_t (&dim)[3]) {
  if (threads && dim[0] == block_dim[0] && dim[1] == block_dim[1] && dim[2] == block_dim[2]) return;
  const uint32_t total = dim[0] * dim[1] * dim[2];
  for (int axis = 0; axis < 3; ++axis) block_dim[axis] = dim[axis];
  block_dim[3] = 0;
  if (total != threads_total) {
    threads.reset(new thread[total]());
    registers.reset(new context[total]());
    constexpr size_t alignment = 64;
    exchange_memory.reset(new char[total * cohort_exchange_bytes + alignment]);
    exchange = align_up(exchange_memory.get(), alignment);
    copies.reset();
  }
  threads_total = total;
  warp_count = (total + lanes_per_warp - 1) / lanes_per_warp;
  for (uint32_t i = 0; i < warp_count; ++i) {
    warps[i].block = this;
    warps[i].threads = &threads[i * lanes_per_warp];
    warps[i].registers = &registers[i * lanes_per_warp];
    warps[i].bit = 1u << i;
  }
  for (uint32_t rank_in_block = 0; rank_in_block < total; ++rank_in_block) {
    thread& t = threads[rank_in_block];
    t.thread_index[0] = rank_in_block % dim[0];
    t.thread_index[1] = rank_in_block / dim[0] % dim[1];
    t.thread_index[2] = rank_in_block / dim[0] / dim[1];
    t.thread_rank = rank_in_block;
    t.block = this;
    t.registers = &registers[rank_in_block];
    t.warp = &warps[rank_in_block / lanes_per_warp];
  }
}

void block::provide_shared(size_t static_bytes, size_t dynamic_bytes) {
  constexpr size_t alignment = 128;
  const size_t static_room = (static_bytes + alignment - 1) / alignment * alignment;
  const size_t need = static_room + dynamic_bytes + alignment;
  if (need > arena_bytes) {
    arena.reset(new char[need]);
    arena_bytes = need;
  }
  static_shared = align_up(arena.get(), alignment);
  dynamic_shared = static_shared + static_room;
  shared_bytes = static_room + dynamic_bytes;
}

void block::forget_waiters() {
  for (auto& barrier : waiting) {
    for (uint32_t& lanes : barrier) lanes = 0;
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
  cluster = nullptr;
  live = threads_total;
  count = phase = 0;
  collective = nullptr;
  splits_used = teams_used = copies_used = scratch_used = retired = false;
  for (outer_barrier& o : outer) o = {};
  warps_ready = warp_count == 32 ? ~0u : (1u << warp_count) - 1;
  for (uint32_t i = 0; i < warp_count; ++i) {
    warp& w = warps[i];
    const uint32_t lanes = threads_total - i * lanes_per_warp;
    w.live = w.ready = lanes >= lanes_per_warp ? ~0u : (1u << lanes) - 1;
    w.at_block = w.at_wide = w.converging = w.spinning = w.in_collective = w.open = 0;
    for (rendezvous& m : w.meetings) m.mask = 0;
    w.newest = w.meetings;
  }
  tagged.clear();
}

}  // namespace cohort::engine
