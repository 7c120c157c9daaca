// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cluster_group: the threads of the blocks of one cluster, which are resident together and reach each other's shared
// memory. In a launch without clusters each block is a cluster of its own.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/dim3.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

class cluster_group : public thread_group {
 public:
  static constexpr cohort::thread_scope thread_scope = thread_scope_device;
  using arrival_token = detail::arrival<barrier_kind::cluster>;

  // Barrier of all threads of the cluster; orders the blocks' shared memory and global memory among them.
  COHORT_FN static void sync() { this_machine::sync_cluster(); }

  // Barrier in two halves: each thread arrives, may do something else, then waits once. The wait without an argument
  // is for the thread's newest arrival. Misuse is reported.
  COHORT_FN static arrival_token barrier_arrive() { return arrival_token::arrive("cluster_group::barrier_arrive"); }
  COHORT_FN static void barrier_wait(arrival_token&& token) { token.wait("cluster_group::barrier_wait"); }
  COHORT_FN static void barrier_wait() { arrival_token::wait_newest("cluster_group::barrier_wait"); }

  // The rank of the block in whose shared memory `address` lies. Fails the launch if that is no block of the cluster.
  COHORT_FN static unsigned int query_shared_rank(const void* address) { return this_machine::shared_owner(address); }

  // Where the variable at `address`, in the shared memory of any block of the cluster, lies in that of block `rank`.
  // Fails the launch if `address` is not in shared memory or the cluster has no such block. The other block must have
  // begun (sync() before the first access) and must not have ended (sync() after the last).
  template <class T>
  COHORT_FN static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(this_machine::map_shared(address, static_cast<uint32_t>(rank)));
  }

  // block_rank() * threads of a block + rank in the block
  COHORT_FN static unsigned int thread_rank() { return detail::cluster_thread_rank(); }
  COHORT_FN static unsigned int num_threads() { return detail::cluster_size(); }
  COHORT_FN static unsigned int size() { return num_threads(); }

  // The block's place in its cluster, x fastest, and how many blocks there are.
  COHORT_FN static unsigned int block_rank() { return detail::cluster_block_rank(); }
  COHORT_FN static unsigned int num_blocks() { return detail::cluster_num_blocks(); }
  COHORT_FN static dim3 block_index() {
    return dim3(detail::cluster_block_index(0), detail::cluster_block_index(1), detail::cluster_block_index(2));
  }
  COHORT_FN static dim3 dim_blocks() { return detail::cluster_dim(); }

  // The thread's index in the cluster and the cluster's extent in threads, axis by axis.
  COHORT_FN static dim3 thread_index() { return dim3(along(0), along(1), along(2)); }
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

// The cluster of the calling thread.
COHORT_FN cluster_group this_cluster() { return detail::group_access::make<cluster_group>(); }

}  // namespace cohort
