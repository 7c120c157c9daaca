// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 20, solved.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void share_of_total(const int* in, int* sums, int* out) {
  const auto all = cg::this_multi_grid();
  const auto grid = cg::this_grid();
  const int element = in[all.thread_rank()];
  atomicAdd(&sums[all.grid_rank()], element);
  int total = 0;
  // Your code begins: `total` becomes the sum over all devices.
  all.sync();
  for (unsigned g = 0; g < all.num_grids(); ++g) total += sums[g];
  // Your code ends.
  out[all.thread_rank()] = 1000 * element / total;
}
