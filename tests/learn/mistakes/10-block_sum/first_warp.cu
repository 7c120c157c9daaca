// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: The sums of the other warps are missing
if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum_of_warp;
block.sync();
if (block.thread_rank() == 0) *out = sums[0];
