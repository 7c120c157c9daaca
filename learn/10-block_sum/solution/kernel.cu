// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 10, solved.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void block_sum(const int* in, int* out) {
  __shared__ int sums[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int sum_of_warp = cg::reduce(warp, in[block.thread_rank()], cg::plus<int>());
  // Your code begins: *out becomes the sum of the sums of all warps.
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum_of_warp;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    const int mine = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0;
    const int sum = cg::reduce(warp, mine, cg::plus<int>());
    if (warp.thread_rank() == 0) *out = sum;
  }
  // Your code ends.
}
