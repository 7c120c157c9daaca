// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 13. README.md has the task; `cohort learn 13` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void even_first(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int element = in[block.thread_rank()];
  const bool is_odd = element % 2 != 0;
  unsigned place = warp.thread_rank();
  // Your code begins: `place` becomes the place of the thread's element in its warp.

  // Your code ends.
  out[32 * warp.meta_group_rank() + place] = element;
  warp.sync();
}
