// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: collectives of arrays: the group is neither a multi_grid_group nor a world_group
#include <cohort/cohort.hpp>

void kernel(float* values) {
#if WRONG
  const auto group = cohort::this_grid();
#else
  const auto group = cohort::this_world();
#endif
  cohort::all_reduce(group, values, values, 5, cohort::plus<float>());
}
