// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 8. README.md has the task; `cohort learn 8` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void count_before(const int* in, int limit, int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const bool is_above = in[block.thread_rank()] > limit;
  int before = is_above;
  // Your code begins: `before` becomes the number of lower ranks for which is_above holds.

  // Your code ends.
  out[block.thread_rank()] = before;
  warp.sync();
}
