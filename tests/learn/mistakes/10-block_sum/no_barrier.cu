// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: A barrier of the block belongs between the two
if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum_of_warp;
warp.sync();
if (block.thread_rank() == block.num_threads() - 1) {
  int sum = 0;
  for (unsigned i = 0; i < warp.meta_group_size(); ++i) sum += sums[i];
  *out = sum;
}
