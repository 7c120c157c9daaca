// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 13, solved.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void even_first(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int element = in[block.thread_rank()];
  const bool is_odd = element % 2 != 0;
  unsigned place = warp.thread_rank();
  // Your code begins: `place` becomes the place of the thread's element in its warp.
  const auto side = cg::binary_partition(warp, is_odd);
  const unsigned even = __popc(warp.ballot(!is_odd));
  place = side.thread_rank() + (is_odd ? even : 0);
  // Your code ends.
  out[32 * warp.meta_group_rank() + place] = element;
  warp.sync();
}
