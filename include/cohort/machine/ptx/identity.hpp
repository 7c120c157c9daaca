// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the current thread is (PTX ISA, "Special Registers").
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct identity {
  COHORT_FN static uint32_t thread_index(int axis) {
    return axis == 0 ? threadIdx.x : axis == 1 ? threadIdx.y : threadIdx.z;
  }
  COHORT_FN static uint32_t block_index(int axis) {
    return axis == 0 ? blockIdx.x : axis == 1 ? blockIdx.y : blockIdx.z;
  }
  COHORT_FN static uint32_t block_dim(int axis) { return axis == 0 ? blockDim.x : axis == 1 ? blockDim.y : blockDim.z; }
  COHORT_FN static uint32_t grid_dim(int axis) { return axis == 0 ? gridDim.x : axis == 1 ? gridDim.y : gridDim.z; }

  // Clusters came with sm_90; before, each block is a cluster of its own.
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

  // Not %laneid: compilers compute what depends on threadIdx once, and what depends on inline PTX again and again.
  COHORT_FN static uint32_t lane() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31u;
  }
};

}  // namespace ptx
}  // namespace cohort
