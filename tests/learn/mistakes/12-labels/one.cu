// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: Each key is counted once
const auto same = cg::labeled_partition(warp, key);
if (same.thread_rank() == 0) bins[key] += 1;
