// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The running grid of one device: the data that its workers share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cohort/machine/cpu/port.hpp>
#include <cstdint>
#include <vector>

#include "engine/state/session.hpp"
#include "engine/state/teams.hpp"

namespace cohort::engine {

struct block;

// Whether a launch or a kernel gives the blocks of a cluster.
inline bool is_given(const uint32_t (&cluster)[3]) { return cluster[0] || cluster[1] || cluster[2]; }

struct grid {
  const cohort_launch* launch = nullptr;
  const cohort_device* device = nullptr;
  session* shared = nullptr;
  uint32_t index = 0;   // index in the session's grids
  uint64_t number = 0;  // see cohort_grid_number
  uint64_t blocks = 0;
  uint32_t cluster[3] = {1, 1, 1};  // blocks of a cluster
  uint32_t cluster_blocks = 1;
  uint64_t clusters = 0;
  uint32_t workers = 1;         // workers that take part
  uint32_t chunk = 1;           // blocks that a thread loop takes at once
  uint32_t resident_limit = 1;  // blocks that a worker may hold at once
  uint32_t spinning_limit = 1;  // blocks that a worker may hold while all of them only spin
  size_t stack_bytes = 0;
  // The gangs of a block: all but the last one are full, and the last one may have fewer lanes. Width 0: the launch
  // runs no gangs.
  uint32_t gang_width = 0;
  const cohort_gang_version* full_gang = nullptr;
  const cohort_gang_version* last_gang = nullptr;

  alignas(64) std::atomic<uint64_t> next{0};  // the block or the cluster that begins next; cooperative: the share
  std::atomic<uint64_t> next_end{0};          // plain launches: blocks, or clusters, from this number on do not begin
  arrival_counter all_blocks;                 // the barrier of a cooperative grid
  std::atomic<bool> expired{false};           // set by the watchdog: no progress for COHORT_TIMEOUT seconds
  std::atomic<bool> over_limit{false};        // the launch has run for COHORT_LAUNCH_LIMIT seconds

  // Cooperative launches: each block that has begun, by rank. For reports.
  std::vector<block*> resident;

  // After a failed assertion: blocks that a GPU would hold beside the failed one still run, later ones do not begin.
  void begin_no_further_wave() {
    const uint64_t wave = std::max<uint64_t>(uint64_t{resident_limit} * workers / cluster_blocks, 1);
    const uint64_t begun = std::max<uint64_t>(next.load(std::memory_order_relaxed), 1);
    next_end.store(std::min((begun + wave - 1) / wave * wave, clusters), std::memory_order_relaxed);
  }

  bool failed() const { return shared->failed(); }
  bool is_multi_device() const { return shared->transport != nullptr; }

  // Rank in the grid of block `rank` of cluster `number`; both count x first.
  uint64_t block_of_cluster(uint64_t number, uint32_t rank) const {
    uint64_t block = 0;
    uint64_t stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const uint64_t along = launch->grid[axis] / cluster[axis];
      block += (number % along * cluster[axis] + rank % cluster[axis]) * stride;
      number /= along;
      rank /= cluster[axis];
      stride *= launch->grid[axis];
    }
    return block;
  }
  // The number of the cluster of a block, by the block's rank in the grid.
  uint64_t cluster_of_block(uint64_t block) const {
    uint64_t number = 0;
    uint64_t stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
      number += block % launch->grid[axis] / cluster[axis] * stride;
      block /= launch->grid[axis];
      stride *= launch->grid[axis] / cluster[axis];
    }
    return number;
  }
};

// The name of a barrier's group in reports about a launch.
inline const char* group_name_in(const grid& g, int barrier) {
  return barrier == cohort_barrier_multi_grid && g.shared->world ? "world_group" : group_name(barrier);
}

}  // namespace cohort::engine
