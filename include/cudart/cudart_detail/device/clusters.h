// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's own functions for clusters, which cluster_group stands on. In a launch without clusters each block is one.
#pragma once

#include "../../vector_types.h"  // dim3, which the next header uses

#include <cohort/group/mapping.hpp>

#include "macros.h"

COHORT_DEVICE_FUNCTION unsigned int __clusterSizeInBlocks() { return cohort::detail::cluster_num_blocks(); }
// Returns 1 in a launch with a cluster dimension, else 0.
COHORT_DEVICE_FUNCTION unsigned int __clusterDimIsSpecified() {
  return static_cast<unsigned>(cohort_cluster_is_explicit());
}
COHORT_DEVICE_FUNCTION dim3 __clusterDim() { return cohort::detail::cluster_dim(); }

// The block's place in its cluster, and the cluster's in the grid.
COHORT_DEVICE_FUNCTION dim3 __clusterRelativeBlockIdx() {
  using cohort::detail::cluster_block_index;
  return dim3(cluster_block_index(0), cluster_block_index(1), cluster_block_index(2));
}
COHORT_DEVICE_FUNCTION unsigned int __clusterRelativeBlockRank() { return cohort::detail::cluster_block_rank(); }
COHORT_DEVICE_FUNCTION dim3 __clusterIdx() {
  using cohort::detail::grid_cluster_index;
  return dim3(grid_cluster_index(0), grid_cluster_index(1), grid_cluster_index(2));
}
COHORT_DEVICE_FUNCTION dim3 __clusterGridDimInClusters() {
  using cohort::detail::grid_cluster_dim;
  return dim3(grid_cluster_dim(0), grid_cluster_dim(1), grid_cluster_dim(2));
}

// The barrier of the cluster in two halves: all threads of its blocks arrive, and wait later.
COHORT_DEVICE_FUNCTION void __cluster_barrier_arrive() {
  cohort_wait_arrive(cohort_barrier_cluster, "__cluster_barrier_arrive");
}
COHORT_DEVICE_FUNCTION void __cluster_barrier_arrive_relaxed() {
  cohort_wait_arrive(cohort_barrier_cluster, "__cluster_barrier_arrive_relaxed");
}
COHORT_DEVICE_FUNCTION void __cluster_barrier_wait() {
  cohort_wait_token(cohort_barrier_cluster, COHORT_NEWEST_ARRIVAL, "__cluster_barrier_wait");
}
COHORT_DEVICE_FUNCTION void __threadfence_cluster() { cohort::this_machine::fence(cohort::thread_scope_device); }

// The location of `address`, in the shared memory of a block of the cluster, in that of block `target_block_rank`; the
// rank of the block whose shared memory holds `address`. Other addresses and ranks fail the launch.
COHORT_DEVICE_FUNCTION void* __cluster_map_shared_rank(const void* address, unsigned int target_block_rank) {
  return cohort_cluster_map(address, target_block_rank);
}
COHORT_DEVICE_FUNCTION unsigned int __cluster_query_shared_rank(const void* address) {
  return cohort_cluster_owner(address);
}
