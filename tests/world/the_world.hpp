// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The world of a test program: opened once, by main().
#pragma once

// Without MPI the processes of a test on GPUs meet over a file.
#if defined(COHORT_TEST_WITHOUT_MPI)
#include <cohort/world.hpp>
#else
#include <cohort/world_mpi.hpp>
#endif

namespace testing_kernels {

inline cohort::world& the_world() {
  static cohort::world w;
  return w;
}

}  // namespace testing_kernels
