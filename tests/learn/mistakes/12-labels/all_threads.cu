// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: One thread of each group adds the size of the group
const auto same = cg::labeled_partition(warp, key);
bins[key] = same.num_threads();
bins[key] += 0 * same.thread_rank();
