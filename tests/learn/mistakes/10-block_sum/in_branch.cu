// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: All threads of the block must pass it
if (warp.thread_rank() == 0) {
  sums[warp.meta_group_rank()] = sum_of_warp;
  block.sync();
}
if (warp.meta_group_rank() == 0) {
  const int mine = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0;
  const int sum = cg::reduce(warp, mine, cg::plus<int>());
  if (warp.thread_rank() == 0) *out = sum;
}
