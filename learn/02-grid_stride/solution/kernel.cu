// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 2, solved.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void twice(const int* in, int n, int* out) {
  const auto grid = cg::this_grid();
  // Your code begins: out[i] becomes 2 * in[i] for all i below n.
  const int step = static_cast<int>(grid.num_threads());
  for (int i = static_cast<int>(grid.thread_rank()); i < n; i += step) out[i] = 2 * in[i];
  // Your code ends.
}
