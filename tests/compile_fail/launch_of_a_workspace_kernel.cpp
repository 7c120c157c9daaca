// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a kernel that takes a grid_workspace is launched by cohort::launch_cooperative
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

void reduces(cohort::grid_workspace, int) {}

void host() {
#if WRONG
  (void)cohort::launch(1, 32, reduces, 1);
#else
  (void)cohort::launch_cooperative(1, 32, reduces, 1);
#endif
}
