// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 20. README.md has the task; `cohort learn 20` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void share_of_total(const int* in, int* sums, int* out) {
  const auto all = cg::this_multi_grid();
  const auto grid = cg::this_grid();
  const int element = in[all.thread_rank()];
  atomicAdd(&sums[all.grid_rank()], element);
  int total = 0;
  // Your code begins: `total` becomes the sum over all devices.
  grid.sync();
  total = sums[all.grid_rank()];
  // Your code ends.
  out[all.thread_rank()] = 1000 * element / total;
}
