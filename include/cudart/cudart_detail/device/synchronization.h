// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of the block and of warps, fences, clocks, and the end of a launch.
#pragma once

#include <stddef.h>
#if !defined(__CUDACC_RTC__)
#include <time.h>
#endif

#include <cohort/machine/this_machine.hpp>

#include "lanes.h"
#include "macros.h"

// Barriers of the block: of all threads that have not exited. The counting forms evaluate the predicates of all of
// them. clang has __syncthreads as a builtin in the host pass, where device code is not emitted; it must not be defined
// there.
#if defined(__CUDA_ARCH__)
COHORT_DEVICE_FUNCTION void __syncthreads() { cohort::this_machine::sync_block(); }
#endif
COHORT_DEVICE_FUNCTION int __syncthreads_count(int predicate) {
  return static_cast<int>(cohort::this_machine::sync_block_count(predicate != 0));
}
COHORT_DEVICE_FUNCTION int __syncthreads_and(int predicate) { return cohort_wait_block_all(predicate); }
COHORT_DEVICE_FUNCTION int __syncthreads_or(int predicate) { return cohort_wait_block_any(predicate); }

// The barriers 0 to 15 of the block, for producers and consumers: 0 is the one of __syncthreads(). `count`: the threads
// that complete a phase, a multiple of 32; without it, all threads that have not exited.
COHORT_DEVICE_FUNCTION void __barrier_sync(unsigned id) { cohort_wait_named(id, 0); }
COHORT_DEVICE_FUNCTION void __barrier_sync_count(unsigned id, unsigned cnt) { cohort_wait_named(id, cnt); }

// Barrier of the lanes of `mask`.
COHORT_DEVICE_FUNCTION void __syncwarp(unsigned int mask = 0xFFFFFFFFu) {
  cohort::this_machine::sync_lanes(cohort_existing_lanes(mask), "__syncwarp");
}

COHORT_DEVICE_FUNCTION void __threadfence_block() { cohort::this_machine::fence(cohort::thread_scope_block); }
COHORT_DEVICE_FUNCTION void __threadfence() { cohort::this_machine::fence(cohort::thread_scope_device); }
COHORT_DEVICE_FUNCTION void __threadfence_system() { cohort::this_machine::fence(cohort::thread_scope_system); }

// Yields once to other threads, whatever the duration.
COHORT_DEVICE_FUNCTION void __nanosleep(unsigned int nanoseconds) { cohort_wait_sleep(nanoseconds); }

COHORT_DEVICE_FUNCTION clock_t clock() { return static_cast<clock_t>(cohort_clock()); }
COHORT_DEVICE_FUNCTION long long clock64() { return static_cast<long long>(cohort_clock()); }

COHORT_DEVICE_FUNCTION __attribute__((noreturn)) void __trap() {
  cohort_fail(719, "__trap() was called; the program gave up here on purpose");  // cudaErrorLaunchFailure
}
COHORT_DEVICE_FUNCTION void __brkpt() {
  cohort_fail(719, "__brkpt() was called; set breakpoints with the debugger instead");
}

COHORT_DEVICE_FUNCTION void __assume(bool condition) { __builtin_assume(condition); }
// The counter of a profiler, which does not exist here: no effect.
COHORT_DEVICE_FUNCTION void __prof_trigger(int) {}

// Programmatic dependent launch. A kernel starts when the kernels before it in its stream have ended, so there is
// nothing left to wait for, and no launch that could start earlier.
COHORT_DEVICE_FUNCTION void cudaGridDependencySynchronize() {}
COHORT_DEVICE_FUNCTION void cudaTriggerProgrammaticLaunchCompletion() {}
