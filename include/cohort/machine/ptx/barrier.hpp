// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of lanes, clusters and grids, and those of all levels in halves; the lanes that run together (PTX ISA,
// bar.warp.sync, barrier.cluster, activemask).
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../concept.hpp"
#include "block/team_barrier.hpp"
#include "grid/grid_barrier.hpp"
#include "grid/multi_grid.hpp"
#include "memory.hpp"

namespace cohort {
namespace ptx {

struct barrier : team_barrier {
  COHORT_FN static void sync_lanes(uint32_t mask, const char* /*what*/) {
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
  }
  COHORT_FN static uint32_t active_lanes() {
    uint32_t lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
    return lanes;
  }

  // The barriers beyond a block have two halves. The others meet in the wait.
  COHORT_FN static uint32_t arrive(barrier_kind kind, const char* /*what*/) {
    switch (kind) {
      case barrier_kind::cluster:
        cluster_arrive();
        return 0;
      case barrier_kind::grid:
        return grid_arrive();
      case barrier_kind::multi_grid:
        return multi_grid::multi_grid_arrive();
      default:
        return 0;
    }
  }
  COHORT_FN static void wait(barrier_kind kind, uint32_t token, const char* what) {
    switch (kind) {
      case barrier_kind::block:
        return sync_block();
      case barrier_kind::cluster:
        return cluster_wait();
      case barrier_kind::grid:
        return grid_wait(token);
      case barrier_kind::multi_grid:
        return multi_grid::multi_grid_wait(token);
      default:
        return sync_team(64u << static_cast<int>(kind), what);
    }
  }

  COHORT_FN static void sync_cluster() {
    cluster_arrive();
    cluster_wait();
  }

  COHORT_FN static bool grid_is_valid() { return grid_word::address() != nullptr; }
  COHORT_FN static void sync_grid() {
    const bool together = active_lanes() == 0xffffffffu;
    meet(together);
    if (block_rank() == 0) grid_word::arrive_and_wait(checked_grid_word());
    meet(together);
  }

 private:
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

  // The block's barrier for a warp whose lanes are known to come together: then nothing has to find that out.
  COHORT_FN static void meet(bool together) {
    if (together) {
      asm volatile("bar.sync 0;" ::: "memory");
    } else {
      sync_block();
    }
  }

  // Only what is compiled for a debugger says what is wrong. The others get the launch failure alone: a kernel in which
  // a sentence can be printed orders shared memory before each of its fences, and its barriers take longer.
  COHORT_FN static uint32_t* checked_grid_word() {
    uint32_t* word = grid_word::address();
    if (word == nullptr) {
#if defined(__CUDACC_DEBUG__)
      memory::fail(
          "grid_group.sync() in a launch that is not cooperative; launch the kernel with cudaLaunchCooperativeKernel");
#else
      asm volatile("trap;");
#endif
    }
    return word;
  }
  COHORT_FN static uint32_t grid_arrive() {
    sync_block();
    return block_rank() == 0 ? grid_word::arrive(checked_grid_word()) : 0;
  }
  COHORT_FN static void grid_wait(uint32_t token) {
    if (block_rank() == 0) grid_word::wait(grid_word::address(), token);
    sync_block();
  }
};

}  // namespace ptx
}  // namespace cohort
