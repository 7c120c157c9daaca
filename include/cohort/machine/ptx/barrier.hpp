// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of all levels, whole and in halves; the lanes that run together (PTX ISA, bar.warp.sync, barrier,
// barrier.cluster, activemask).
#pragma once

#include <stdint.h>

#include "../../base/bits.hpp"
#include "../../base/config.hpp"
#include "../concept.hpp"
#include "grid_barrier.hpp"
#include "memory.hpp"
#include "multi_grid.hpp"

namespace cohort {
namespace ptx {

struct barrier {
  COHORT_FN static void sync_lanes(uint32_t mask, const char* /*what*/) {
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
  }
  COHORT_FN static uint32_t active_lanes() {
    uint32_t lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
    return lanes;
  }

  COHORT_FN static void sync_block() { asm volatile("barrier.sync 0;" ::: "memory"); }
  COHORT_FN static uint32_t sync_block_count(bool predicate) {
    uint32_t count;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "setp.ne.u32 p, %1, 0;\n\t"
        "barrier.red.popc.u32 %0, 0, p;\n\t}"
        : "=r"(count)
        : "r"(predicate ? 1u : 0u)
        : "memory");
    return count;
  }

  // A hardware barrier (PTX ISA, barrier: 16 for a block, number 0 is the block's own) for each tile that a block can
  // have, of any size, at once. Blocks of more than 512 threads have none left for tiles of 64.
  COHORT_FN static void sync_team(uint32_t size, const char* /*what*/) {
    const uint32_t block = block_size();
    if (size == 0 || size >= block) return sync_block();
    const uint32_t first = block_rank() & ~(size - 1u);
    const uint32_t left = block - first;
    const uint32_t threads = left < size ? (left + 31u) & ~31u : size;
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier_number(size, first / size, block)), "r"(threads) : "memory");
  }

  // The cluster's and the grid's barriers have two halves in hardware. The others meet in the wait.
  COHORT_FN static uint32_t arrive(barrier_kind kind, const char* what) {
    switch (kind) {
      case barrier_kind::cluster: cluster_arrive(); return 0;
      case barrier_kind::grid: return grid_arrive(what);
      default: return 0;
    }
  }
  COHORT_FN static void wait(barrier_kind kind, uint32_t token, const char* what) {
    switch (kind) {
      case barrier_kind::block: return sync_block();
      case barrier_kind::cluster: return cluster_wait();
      case barrier_kind::grid: return grid_wait(token);
      case barrier_kind::multi_grid: return multi_grid::sync_multi_grid();
      default: return sync_team(64u << static_cast<int>(kind), what);
    }
  }

  COHORT_FN static void sync_cluster() {
    cluster_arrive();
    cluster_wait();
  }

  COHORT_FN static bool grid_is_valid() { return grid_word::address() != nullptr; }
  COHORT_FN static void sync_grid() { grid_wait(grid_arrive("grid_group::sync")); }

 private:
  COHORT_FN static uint32_t block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  COHORT_FN static uint32_t block_size() { return blockDim.x * blockDim.y * blockDim.z; }

  COHORT_FN static uint32_t barrier_number(uint32_t size, uint32_t tile, uint32_t block) {
    if (block > 512) {
      if (size == 64) {
        memory::fail("a barrier of tiles of 64 threads in a block of more than 512 threads, for which the hardware has "
                     "too few barriers; use tiles of 128 threads or smaller blocks");
      }
      return 1024 / size - 1 + tile;  // 512: 1-2, 256: 3-6, 128: 7-14
    }
    return 17 - 1024 / size + tile;  // 64: 1-8, 128: 9-12, 256: 13-14, 512: 15
  }

  COHORT_FN static void cluster_arrive() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
  }
  COHORT_FN static void cluster_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
    sync_block();
#endif
  }

  COHORT_FN static uint32_t grid_arrive(const char* /*what*/) {
    uint32_t* word = grid_word::address();
    if (word == nullptr) {
      memory::fail("grid_group.sync() in a launch that is not cooperative; launch the kernel with cudaLaunchCooperativeKernel");
    }
    sync_block();
    return block_rank() == 0 ? grid_word::arrive(word) : 0;
  }
  COHORT_FN static void grid_wait(uint32_t token) {
    if (block_rank() == 0) grid_word::wait(grid_word::address(), token);
    sync_block();
  }
};

}  // namespace ptx
}  // namespace cohort
