// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cluster_group: all threads of one cluster.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/dim3.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

/// All threads of the blocks of one cluster. These blocks are resident together and can access each other's shared
/// memory. In a launch without clusters each block is a cluster of its own.
class cluster_group : public thread_group {
 public:
  /// The scope of the group's barrier.
  static constexpr cohort::thread_scope thread_scope = thread_scope_device;
  /// The result of barrier_arrive().
  using arrival_token = detail::arrival<barrier_kind::cluster>;

  /// Waits until all threads of the cluster have arrived. Orders their accesses to global memory and to the shared
  /// memory of the cluster's blocks.
  COHORT_FN static void sync(COHORT_CALLED_AT) {
    COHORT_CHECKED_CALL(sync, cluster, 0u);
    this_machine::sync_cluster();
  }

  /// Arrives at the group's split-phase barrier, without waiting. The thread then waits once with its token.
  /// @return The token of this phase, for barrier_wait().
  /// @pre The thread has no arrival without a wait. Until its wait it uses no other barrier or collective of the
  /// cluster.
  ///      The CPU reports a violation.
  COHORT_FN static arrival_token barrier_arrive(COHORT_CALLED_AT) {
    COHORT_CHECKED_CALL(barrier_arrive, cluster, 0u);
    return arrival_token::arrive("cluster_group::barrier_arrive");
  }
  /// Waits until all threads of the cluster that have not returned have arrived. Their writes before the arrival are
  /// visible afterwards.
  /// @param token The result of the thread's arrival in this phase. The CPU reports any other token.
  COHORT_FN static void barrier_wait(arrival_token&& token COHORT_AND_CALLED_AT) {
    COHORT_CHECKED_CALL(barrier_wait, cluster, 0u);
    token.wait("cluster_group::barrier_wait");
  }
  /// Waits as barrier_wait(token) does, with the token of the thread's latest arrival.
  COHORT_FN static void barrier_wait(COHORT_CALLED_AT) {
    COHORT_CHECKED_CALL(barrier_wait, cluster, 0u);
    arrival_token::wait_newest("cluster_group::barrier_wait");
  }

  /// The rank of the block whose shared memory contains `address`. On the CPU an address outside of the cluster's
  /// shared memory fails the launch; on a GPU it is undefined.
  COHORT_FN static unsigned int query_shared_rank(const void* address) { return this_machine::shared_owner(address); }

  /// The address in the shared memory of block `rank` that corresponds to `address`. On the CPU an address outside of
  /// shared memory or a missing block fails the launch; on a GPU it is undefined.
  /// @param address An address in the shared memory of any block of the cluster.
  /// @param rank The rank of a block in the cluster.
  /// @pre That block has begun and has not ended: sync() before the first access and after the last.
  /// @snippet examples/12_clusters/clusters.cu map_shared_rank
  template <class T>
  COHORT_FN static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(this_machine::map_shared(address, static_cast<uint32_t>(rank)));
  }

  /// The rank of the calling thread: block_rank() * threads of a block + its rank in the block.
  COHORT_FN static unsigned int thread_rank() { return detail::cluster_thread_rank(); }
  /// Number of threads of the cluster.
  COHORT_FN static unsigned int num_threads() { return detail::cluster_size(); }
  /// Number of threads of the cluster (CUDA's older name).
  COHORT_FN static unsigned int size() { return num_threads(); }

  /// The rank of the block in its cluster; x changes fastest.
  COHORT_FN static unsigned int block_rank() { return detail::cluster_block_rank(); }
  /// Number of blocks of the cluster.
  COHORT_FN static unsigned int num_blocks() { return detail::cluster_num_blocks(); }
  /// The index of the block in its cluster.
  COHORT_FN static dim3 block_index() {
    return dim3(detail::cluster_block_index(0), detail::cluster_block_index(1), detail::cluster_block_index(2));
  }
  /// The extent of the cluster in blocks.
  COHORT_FN static dim3 dim_blocks() { return detail::cluster_dim(); }

  /// The index of the calling thread in the cluster.
  COHORT_FN static dim3 thread_index() { return dim3(along(0), along(1), along(2)); }
  /// The extent of the cluster in threads.
  COHORT_FN static dim3 dim_threads() {
    return dim3(this_machine::cluster_dim(0) * this_machine::block_dim(0),
                this_machine::cluster_dim(1) * this_machine::block_dim(1),
                this_machine::cluster_dim(2) * this_machine::block_dim(2));
  }

 private:
  friend struct detail::group_access;
  COHORT_FN cluster_group() : thread_group(detail::kind_cluster) {}

  COHORT_FN static unsigned int along(int axis) {
    return detail::cluster_block_index(axis) * this_machine::block_dim(axis) + this_machine::thread_index(axis);
  }
};

/// The cluster of the calling thread.
COHORT_FN cluster_group this_cluster() { return detail::group_access::make<cluster_group>(); }

}  // namespace cohort
