// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grid_group: all threads of the launch.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/dim3.hpp"
#include "../machine/this_machine.hpp"
#include "grid_workspace.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

class grid_group : public thread_group {
 public:
  static constexpr cohort::thread_scope thread_scope = thread_scope_device;
  using arrival_token = unsigned int;

  // The launch is cooperative, so that the grid can synchronise.
  COHORT_FN bool is_valid() const { return this_machine::grid_is_valid(); }

  // Barrier of all threads of the grid; global memory written before is seen after. In a launch that is not
  // cooperative it fails the launch.
  COHORT_FN void sync() const { this_machine::sync_grid(); }

  // Barrier in two halves: each thread arrives, may do something else, then waits once with its token. The wait ends
  // when all threads of the grid that have not returned have arrived; what they wrote before is seen then. Between the
  // halves a thread uses no other barrier or collective of the grid; what it does wrong is reported.
  COHORT_FN arrival_token barrier_arrive() const {
    return this_machine::arrive(barrier_kind::grid, "grid_group::barrier_arrive");
  }
  COHORT_FN void barrier_wait(arrival_token&& token) const {
    this_machine::wait(barrier_kind::grid, token, "grid_group::barrier_wait");
  }

  // block_rank() * threads of a block + rank in the block
  COHORT_FN static unsigned long long thread_rank() { return detail::grid_thread_rank(); }
  COHORT_FN static unsigned long long num_threads() { return detail::grid_size(); }
  COHORT_FN static unsigned long long size() { return num_threads(); }

  // (bz * Gy + by) * Gx + bx
  COHORT_FN static unsigned long long block_rank() { return detail::grid_block_rank(); }
  COHORT_FN static unsigned long long num_blocks() { return detail::grid_num_blocks(); }

  COHORT_FN static dim3 block_index() { return detail::block_index(); }  // blockIdx
  COHORT_FN static dim3 dim_blocks() { return detail::grid_dim(); }      // gridDim
  COHORT_FN static dim3 group_dim() { return dim_blocks(); }             // in blocks

  // The cluster of the block: its index in the grid, its rank (x fastest), and how many there are. In a launch without
  // clusters each block is a cluster.
  COHORT_FN static dim3 cluster_index() {
    return dim3(detail::grid_cluster_index(0), detail::grid_cluster_index(1), detail::grid_cluster_index(2));
  }
  COHORT_FN static dim3 dim_clusters() {
    return dim3(detail::grid_cluster_dim(0), detail::grid_cluster_dim(1), detail::grid_cluster_dim(2));
  }
  COHORT_FN static unsigned long long cluster_rank() {
    return (static_cast<unsigned long long>(detail::grid_cluster_index(2)) * detail::grid_cluster_dim(1) +
            detail::grid_cluster_index(1)) *
               detail::grid_cluster_dim(0) +
           detail::grid_cluster_index(0);
  }
  COHORT_FN static unsigned long long num_clusters() {
    return static_cast<unsigned long long>(detail::grid_cluster_dim(0)) * detail::grid_cluster_dim(1) *
           detail::grid_cluster_dim(2);
  }

  // The thread's index in the grid and the grid's extent in threads, axis by axis.
  COHORT_FN static dim3 thread_index() {
    return dim3(along(0, this_machine::block_index(0)), along(1, this_machine::block_index(1)),
                along(2, this_machine::block_index(2)));
  }
  COHORT_FN static dim3 dim_threads() {
    return dim3(this_machine::grid_dim(0) * this_machine::block_dim(0),
                this_machine::grid_dim(1) * this_machine::block_dim(1),
                this_machine::grid_dim(2) * this_machine::block_dim(2));
  }

 private:
  friend struct detail::group_access;
  COHORT_FN grid_group() : thread_group(detail::kind_grid, 0, 0, 0) {}
  // The address lies in the two words of the meta group, the slot's bytes in the size: a grid needs neither.
  COHORT_FN explicit grid_group(grid_workspace workspace)
      : thread_group(detail::kind_grid, static_cast<uint32_t>(workspace.slot_bytes),
                     static_cast<uint32_t>(reinterpret_cast<uint64_t>(workspace.memory)),
                     static_cast<uint32_t>(reinterpret_cast<uint64_t>(workspace.memory) >> 32)) {}

  COHORT_FN static unsigned int along(int axis, unsigned int block) {
    return block * this_machine::block_dim(axis) + this_machine::thread_index(axis);
  }
};

// The grid of the calling thread. Has everything but the collectives that need a workspace.
COHORT_FN grid_group this_grid() { return detail::group_access::make<grid_group>(); }

// The grid of the calling thread, with the workspace that cohort::launch_cooperative passed to the kernel as its first
// argument: also its reductions, scans, broadcasts and votes work. All threads pass the same workspace.
COHORT_FN grid_group this_grid(grid_workspace workspace) { return detail::group_access::make<grid_group>(workspace); }

}  // namespace cohort
