// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 17. README.md has the task; `cohort learn 17` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) from_next_block(const int* in, int* out) {
  __shared__ int mine[64];
  const auto grid = cg::this_grid();
  const auto cluster = cg::this_cluster();
  const unsigned t = cg::this_thread_block().thread_rank();
  mine[t] = in[grid.thread_rank()];
  int value = mine[t];
  // Your code begins: `value` becomes element t of the next block of the cluster.

  // Your code ends.
  out[grid.thread_rank()] = value;
}
