// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 18. README.md has the task; `cohort learn 18` compiles and runs this file.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <climits>

namespace cg = cooperative_groups;

__global__ void below_largest(const int* in, int n, int* largest, int* out) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const int i = static_cast<int>(grid.thread_rank());
  const int element = i < n ? in[i] : INT_MIN;
  const int of_block = cg::reduce(block, element, cg::greater<int>());
  if (block.thread_rank() == 0) largest[grid.block_rank()] = of_block;
  int of_grid = of_block;
  // Your code begins: `of_grid` becomes the largest element of all blocks.

  // Your code ends.
  if (i < n) out[i] = of_grid - element;
}
