// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cohort::launch: as many arguments as the kernel has parameters
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

void takes_two(int, int) {}

void host() {
#if WRONG
  (void)cohort::launch(1, 32, takes_two, 1);
#else
  (void)cohort::launch(1, 32, takes_two, 1, 2);
#endif
}
