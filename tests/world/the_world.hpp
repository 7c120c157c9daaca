// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The world of a test program: opened once, by main().
#pragma once

#include <cohort/world_mpi.hpp>

namespace testing_kernels {

inline cohort::world& the_world() {
  static cohort::world w;
  return w;
}

}  // namespace testing_kernels
