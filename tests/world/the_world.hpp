// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The world of a test program, which main() opens once.
#pragma once

// Without MPI the processes of a test on GPUs find each other by a file.
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
