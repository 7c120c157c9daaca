// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Position of the current thread (PTX ISA, "Special Registers").
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct identity {
  static constexpr uint32_t warp_size = 32;

  COHORT_FN static uint32_t thread_index(int axis) {
    return axis == 0 ? threadIdx.x : axis == 1 ? threadIdx.y : threadIdx.z;
  }
  COHORT_FN static uint32_t block_index(int axis) {
    return axis == 0 ? blockIdx.x : axis == 1 ? blockIdx.y : blockIdx.z;
  }
  COHORT_FN static uint32_t block_dim(int axis) { return axis == 0 ? blockDim.x : axis == 1 ? blockDim.y : blockDim.z; }
  COHORT_FN static uint32_t grid_dim(int axis) { return axis == 0 ? gridDim.x : axis == 1 ? gridDim.y : gridDim.z; }

  /// Blocks of the cluster along one axis. 1 below sm_90, which has no clusters.
  COHORT_FN static uint32_t cluster_dim([[maybe_unused]] int axis) {
    uint32_t blocks = 1;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    switch (axis) {
      case 0:
        asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
        break;
      case 1:
        asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(blocks));
        break;
      default:
        asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(blocks));
        break;
    }
#endif
    return blocks;
  }

  /// Rank of the thread in its block: x fastest, then y, then z.
  COHORT_FN static uint32_t block_thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  /// Number of threads in the block.
  COHORT_FN static uint32_t block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

  /// Lane of the thread in its warp, for operations of few instructions. Not volatile: compilers merge the reads, and
  /// repeat one instead of keeping its register.
  COHORT_FN static uint32_t lane() {
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }
  /// Lane of the thread in its warp, computed from threadIdx. Collectives of many steps use it: compilers keep it, and
  /// what is derived from it, during the program's loop. Addresses and predicates that are derived from %laneid are
  /// computed in each call.
  COHORT_FN static uint32_t kept_lane() { return block_thread_rank() & (warp_size - 1u); }
  /// Mask of the lanes below the thread's.
  COHORT_FN static uint32_t lanes_below() {
    uint32_t lanes;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    return lanes;
  }

  /// Rank of the block in its grid: x fastest, then y, then z.
  /// @pre the grid has fewer than 2^32 blocks, as those of cooperative launches have
  COHORT_FN static uint32_t block_rank() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  /// Bits that are zero in the thread with index (0, 0, 0) only.
  COHORT_FN static uint32_t thread_bits() { return threadIdx.x | threadIdx.y | threadIdx.z; }
  /// True in the block with index (0, 0, 0).
  COHORT_FN static bool is_first_block() { return (blockIdx.x | blockIdx.y | blockIdx.z) == 0; }
};

}  // namespace ptx
}  // namespace cohort
