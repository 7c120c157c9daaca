// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 8, solved.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void count_before(const int* in, int limit, int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const bool is_above = in[block.thread_rank()] > limit;
  int before = is_above;
  // Your code begins: `before` becomes the number of lower ranks for which is_above holds.
  const unsigned lower = (1u << warp.thread_rank()) - 1;
  before = __popc(warp.ballot(is_above) & lower);
  // Your code ends.
  out[block.thread_rank()] = before;
  warp.sync();
}
