// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 7. README.md has the task; `cohort learn 7` compiles and runs this file.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <climits>

namespace cg = cooperative_groups;

__global__ void largest_of_warps(const int* in, int n, int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int t = static_cast<int>(block.thread_rank());
  int largest = 0;
  // Your code begins: `largest` becomes the largest element of the warp.

  // Your code ends.
  block.sync();
  if (warp.thread_rank() == 0) out[warp.meta_group_rank()] = largest;
}
