// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences (PTX ISA, fence), relaxed accesses of system scope (PTX ISA, ld and st), and the failure of a launch (PTX ISA,
// trap).
#pragma once

#include <stdint.h>
#if !defined(__CUDACC_RTC__)
#include <stdio.h>  // printf; built into NVRTC
#endif

#include "../../base/config.hpp"
#include "../../base/scope.hpp"

// The target and the compiler have fences that order in one direction.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && defined(__CUDACC_VER_MAJOR__) && \
    (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208)
#define COHORT_PTX_ONE_WAY_FENCES
#endif

namespace cohort {
namespace ptx {

struct memory {
  /// Orders the caller's earlier memory accesses before its later ones, as observed by all threads in `scope`.
  COHORT_FN static void fence(thread_scope scope) {
    switch (scope) {
      case thread_scope_system:
        asm volatile("fence.acq_rel.sys;" ::: "memory");
        break;
      case thread_scope_device:
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        break;
      case thread_scope_block:
        asm volatile("fence.acq_rel.cta;" ::: "memory");
        break;
      case thread_scope_thread:
        break;
    }
  }

  /// Orders the caller's earlier reads before its later accesses, after relaxed polls. Uses a fence in one direction
  /// where the target and the compiler have one.
  COHORT_FN static void acquire(thread_scope scope) {
#if defined(COHORT_PTX_ONE_WAY_FENCES)
    if (scope == thread_scope_device) asm volatile("fence.acquire.gpu;" ::: "memory");
    if (scope == thread_scope_system) asm volatile("fence.acquire.sys;" ::: "memory");
#else
    fence(scope);
#endif
  }

  /// Relaxed load and store of a word in global memory that all GPUs access.
  COHORT_FN static uint32_t load_system(const uint32_t* word) {
    uint32_t value;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(word)) : "memory");
    return value;
  }
  COHORT_FN static void store_system(uint32_t* word, uint32_t value) {
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "r"(value) : "memory");
  }

  /// Prints `message` with the thread's position and traps. The host receives cudaErrorLaunchFailure.
  [[noreturn]] COHORT_DEVICE static __attribute__((noinline)) void fail(const char* message) {
    printf("cohort: block (%u,%u,%u), thread (%u,%u,%u): %s\n", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
           threadIdx.y, threadIdx.z, message);
    asm volatile("trap;");
    __builtin_unreachable();
  }
};

}  // namespace ptx
}  // namespace cohort
