// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cluster and multi-device launches for tests, with one spelling in plain C++ and in .cu sources.
#pragma once

#include <gtest/gtest.h>

#include <cohort/launch.hpp>
#include <model/kernel_test.hpp>

namespace testing_kernels {

// The error of a launch that has ended.
inline int finished(cohort::error e) {
#if COHORT_CUDA_SOURCE
  const cudaError_t first = cudaGetLastError(), later = cudaDeviceSynchronize();
  if (!e && first != cudaSuccess) return static_cast<int>(first);
  if (!e) return static_cast<int>(later);
#endif
  return e.number();
}

inline unsigned load(const unsigned* flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }

// Waits until other threads have raised `*counter` to `value`.
#if COHORT_CUDA_SOURCE
COHORT_DEVICE inline void spin_until(const unsigned* counter, unsigned value) {
  while (atomicOr(const_cast<unsigned*>(counter), 0u) != value) {
  }
  __threadfence();
}
COHORT_DEVICE inline void count_up(unsigned* counter) {
  __threadfence();
  atomicAdd(counter, 1);
}
#else
COHORT_DEVICE inline void spin_until(const unsigned* counter, unsigned value) {
  while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) != value) cohort_wait_yield();
}
COHORT_DEVICE inline void count_up(unsigned* counter) { __atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL); }
#endif

inline cohort::config shape(model::extent grid, model::extent block, model::extent cluster) {
  cohort::config c{shape(grid), shape(block)};
  c.cluster = shape(cluster);
  return c;
}

}  // namespace testing_kernels
