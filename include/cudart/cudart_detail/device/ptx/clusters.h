// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for inline PTX about clusters: the split-phase (arrive/wait) barrier, and shared memory
// of other blocks.
#pragma once

#include "../address_spaces.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

COHORT_PTX_FUNCTION void cohort_ptx_cluster_arrive() {
  cohort_wait_arrive(cohort_barrier_cluster, "barrier.cluster.arrive");
}
COHORT_PTX_FUNCTION void cohort_ptx_cluster_wait() {
  cohort_wait_token(cohort_barrier_cluster, COHORT_NEWEST_ARRIVAL, "barrier.cluster.wait");
}

// Addresses are whole, or the lower 32 bits of one in shared memory.
COHORT_PTX_FUNCTION unsigned long long cohort_ptx_cluster_map(unsigned long long address, unsigned int rank) {
  return reinterpret_cast<unsigned long long>(cohort_cluster_map(__cvta_shared_to_generic(address), rank));
}
COHORT_PTX_FUNCTION unsigned int cohort_ptx_cluster_map_short(unsigned int address, unsigned int rank) {
  void* const mapped = cohort_cluster_map(__cvta_shared_to_generic(address), rank);
  const auto low = static_cast<unsigned int>(reinterpret_cast<size_t>(mapped));
  if (__cvta_shared_to_generic(low) != mapped) {
    cohort_fail(719,
                "mapa: the shared memory of block %u of the cluster is out of the reach of a 32-bit address; take "
                "mapa.u64, whose address is whole",
                rank);
  }
  return low;
}
COHORT_PTX_FUNCTION unsigned int cohort_ptx_cluster_owner(unsigned long long address) {
  return cohort_cluster_owner(__cvta_shared_to_generic(address));
}

#endif
