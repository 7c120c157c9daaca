// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences (PTX ISA, fence), and the failure of a launch (PTX ISA, trap).
#pragma once

#include <stdint.h>
#if !defined(__CUDACC_RTC__)
#include <stdio.h>  // printf; built into NVRTC
#endif

#include "../../base/config.hpp"
#include "../../base/scope.hpp"

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
