// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barrier instructions of warps, blocks and clusters (PTX ISA, bar.warp.sync, barrier, barrier.cluster).
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct barrier {
  COHORT_FN static void sync_lanes(uint32_t mask, const char* /*op_name*/) {
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
  }

  COHORT_FN static void sync_block() { asm volatile("barrier.sync 0;" ::: "memory"); }

  /// Barrier of the block.
  /// @param converged the warp's lanes arrive together: `bar.sync` then skips the test whether they do
  COHORT_FN static void sync_block_hinted(bool converged) {
    if (converged) {
      asm volatile("bar.sync 0;" ::: "memory");
    } else {
      sync_block();
    }
  }

  /// Barrier of the block; returns the number of threads whose `predicate` is true.
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

  /// Barrier of the block; returns true if `predicate` is true in all threads.
  /// @param converged the warp's lanes arrive together
  COHORT_FN static bool sync_block_all(bool predicate, bool converged) {
    uint32_t any_false;
    if (converged) {
      any_false = static_cast<uint32_t>(__syncthreads_or(predicate ? 0 : 1));
    } else {
      asm volatile(
          "{\n\t.reg .pred p, q;\n\t"
          "setp.eq.u32 p, %1, 0;\n\t"
          "barrier.red.or.pred q, 0, p;\n\t"
          "selp.u32 %0, 1, 0, q;\n\t}"
          : "=r"(any_false)
          : "r"(predicate ? 1u : 0u)
          : "memory");
    }
    return any_false == 0;
  }

  /// Named barrier `number` of the block, for `threads` threads, a multiple of 32.
  COHORT_FN static void sync_named(uint32_t number, uint32_t threads) {
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
  }
  /// Named barrier `number` of the block, for Threads threads. An immediate thread count costs no register.
  template <uint32_t Threads>
  COHORT_FN static void sync_named(uint32_t number) {
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "n"(Threads) : "memory");
  }
  /// Named barrier; returns the number of the `threads` threads whose `predicate` is true.
  COHORT_FN static uint32_t sync_named_count(uint32_t number, uint32_t threads, bool predicate) {
    uint32_t count;
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "setp.ne.u32 p, %3, 0;\n\t"
        "barrier.red.popc.u32 %0, %1, %2, p;\n\t}"
        : "=r"(count)
        : "r"(number), "r"(threads), "r"(predicate ? 1u : 0u)
        : "memory");
    return count;
  }

  COHORT_FN static void sync_cluster() {
    cluster_arrive();
    cluster_wait();
  }
  COHORT_FN static void cluster_arrive() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
  }
  /// Waits for the phase of cluster_arrive(). Below sm_90 a cluster is one block, which synchronises here.
  COHORT_FN static void cluster_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
    sync_block();
#endif
  }
};

}  // namespace ptx
}  // namespace cohort
