// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cohort::launch: as many arguments as the kernel has parameters
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

void reduces(cohort::grid_workspace, int) {}

void host() {
#if WRONG
  (void)cohort::launch_cooperative(1, 32, reduces, cohort::grid_workspace(), 1);
#else
  (void)cohort::launch_cooperative(1, 32, reduces, 1);
#endif
}
