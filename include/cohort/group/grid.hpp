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

/// All threads of the launch. In a cooperative launch the grid can synchronise; with the launch's workspace it can also
/// reduce, scan, broadcast and vote.
class grid_group : public thread_group {
 public:
  /// The scope of the group's barrier.
  static constexpr cohort::thread_scope thread_scope = thread_scope_device;
  /// The result of barrier_arrive(): a plain number, as in CUDA. Other groups have a type for each kind of barrier.
  using arrival_token = unsigned int;

  /// Whether the launch is cooperative, which the barrier needs. On a GPU it is also true in a plain launch that
  /// follows a cooperative one in the same stream (docs/gpu.md).
  COHORT_FN bool is_valid() const { return this_machine::grid_is_valid(); }

  /// Waits until all threads of the grid have arrived. Writes to global memory before the call are visible after it.
  /// @pre The launch is cooperative; otherwise the call fails the launch with a report.
  /// @snippet examples/09_grid_reduction/grid_reduction.cu grid_sync
  COHORT_FN void sync(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL(sync, grid, 0u);
    this_machine::sync_grid();
  }

  /// Arrives at the group's split-phase barrier, without waiting. The thread then waits once with its token.
  /// @return The token of this phase, for barrier_wait().
  /// @pre The thread has no arrival without a wait. Until its wait it uses no other barrier or collective of the grid.
  ///      The CPU reports a violation.
  COHORT_FN arrival_token barrier_arrive(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL(barrier_arrive, grid, 0u);
    return this_machine::arrive(barrier_kind::grid, "grid_group::barrier_arrive");
  }
  /// Waits until all threads of the grid that have not returned have arrived. Their writes before the arrival are
  /// visible afterwards.
  /// @param token The result of the thread's arrival in this phase. The CPU reports any other token.
  COHORT_FN void barrier_wait(arrival_token&& token COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(barrier_wait, grid, 0u);
    this_machine::wait(barrier_kind::grid, token, "grid_group::barrier_wait");
  }

  /// The rank of the calling thread: block_rank() * threads of a block + its rank in the block.
  COHORT_FN static unsigned long long thread_rank() { return detail::grid_thread_rank(); }
  /// Number of threads of the grid.
  COHORT_FN static unsigned long long num_threads() { return detail::grid_size(); }
  /// Number of threads of the grid (CUDA's older name).
  COHORT_FN static unsigned long long size() { return num_threads(); }

  /// The rank of the block in the grid: (bz * Gy + by) * Gx + bx.
  COHORT_FN static unsigned long long block_rank() { return detail::grid_block_rank(); }
  /// Number of blocks of the grid.
  COHORT_FN static unsigned long long num_blocks() { return detail::grid_num_blocks(); }

  /// The index of the block in the grid (blockIdx).
  COHORT_FN static dim3 block_index() { return detail::block_index(); }
  /// The extent of the grid in blocks (gridDim).
  COHORT_FN static dim3 dim_blocks() { return detail::grid_dim(); }
  /// The extent of the grid in blocks (CUDA's older name).
  COHORT_FN static dim3 group_dim() { return dim_blocks(); }

  /// The index of the block's cluster in the grid. In a launch without clusters each block is a cluster.
  COHORT_FN static dim3 cluster_index() {
    return dim3(detail::grid_cluster_index(0), detail::grid_cluster_index(1), detail::grid_cluster_index(2));
  }
  /// The extent of the grid in clusters.
  COHORT_FN static dim3 dim_clusters() {
    return dim3(detail::grid_cluster_dim(0), detail::grid_cluster_dim(1), detail::grid_cluster_dim(2));
  }
  /// The rank of the block's cluster in the grid; x changes fastest.
  COHORT_FN static unsigned long long cluster_rank() {
    return (static_cast<unsigned long long>(detail::grid_cluster_index(2)) * detail::grid_cluster_dim(1) +
            detail::grid_cluster_index(1)) *
               detail::grid_cluster_dim(0) +
           detail::grid_cluster_index(0);
  }
  /// Number of clusters of the grid.
  COHORT_FN static unsigned long long num_clusters() {
    return static_cast<unsigned long long>(detail::grid_cluster_dim(0)) * detail::grid_cluster_dim(1) *
           detail::grid_cluster_dim(2);
  }

  /// The index of the calling thread in the grid.
  COHORT_FN static dim3 thread_index() {
    return dim3(along(0, this_machine::block_index(0)), along(1, this_machine::block_index(1)),
                along(2, this_machine::block_index(2)));
  }
  /// The extent of the grid in threads.
  COHORT_FN static dim3 dim_threads() {
    return dim3(this_machine::grid_dim(0) * this_machine::block_dim(0),
                this_machine::grid_dim(1) * this_machine::block_dim(1),
                this_machine::grid_dim(2) * this_machine::block_dim(2));
  }

 private:
  friend struct detail::group_access;
  COHORT_FN grid_group() : thread_group(detail::kind_grid, 0, 0, 0) {}
  // Stores the workspace in the words that a grid does not need: the address in meta_rank_ and meta_size_, the bytes of
  // a slot in size_. A pointer as a member would raise the alignment of all groups from 4 to 8 bytes, and so change how
  // kernels pass them.
  COHORT_FN explicit grid_group(grid_workspace workspace)
      : thread_group(detail::kind_grid, static_cast<uint32_t>(workspace.slot_bytes),
                     static_cast<uint32_t>(reinterpret_cast<uint64_t>(workspace.memory)),
                     static_cast<uint32_t>(reinterpret_cast<uint64_t>(workspace.memory) >> 32)) {}

  COHORT_FN static unsigned int along(int axis, unsigned int block) {
    return block * this_machine::block_dim(axis) + this_machine::thread_index(axis);
  }
};

/// The grid of the calling thread, without a workspace: its reductions, scans, broadcasts and votes fail the launch.
COHORT_FN grid_group this_grid() { return detail::group_access::make<grid_group>(); }

/// The grid of the calling thread, with all its collectives.
/// @param workspace The first argument of the kernel, made by cohort::launch_cooperative. All threads pass the same
/// one.
/// @snippet tests/collective/blocks_test.cpp grid_workspace
COHORT_FN grid_group this_grid(grid_workspace workspace) { return detail::group_access::make<grid_group>(workspace); }

}  // namespace cohort
