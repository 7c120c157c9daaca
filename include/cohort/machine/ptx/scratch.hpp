// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributed shared memory of a cluster (PTX ISA, mapa and getctarank), and the scratch memory of its collectives.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../contract/concept.hpp"

namespace cohort {
namespace ptx {

struct scratch {
  /// Address of the same shared variable in the cluster's block `rank`.
  COHORT_FN static void* map_shared(const void* address, [[maybe_unused]] uint32_t rank) {
    uint64_t mapped = reinterpret_cast<uint64_t>(address);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
#endif
    return reinterpret_cast<void*>(mapped);
  }

  /// Rank of the cluster's block whose shared memory contains `address`.
  COHORT_FN static uint32_t shared_owner([[maybe_unused]] const void* address) {
    uint32_t rank = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
#endif
    return rank;
  }

  /// False: shared memory is not zero when a block begins, and ends with its block.
  static constexpr bool keeps_cluster_scratch = false;
  static constexpr bool threads_take_turns = false;
  static constexpr bool has_reduce_and_sync = false;
  COHORT_FN static void* cluster_scratch(uint32_t rank) {
    alignas(64) __shared__ unsigned char memory[cluster_scratch_bytes];
    return map_shared(memory, rank);
  }
};

}  // namespace ptx
}  // namespace cohort
