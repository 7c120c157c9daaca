// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: counts threads that do not exist
const auto side = cg::binary_partition(warp, is_odd);
const unsigned even = is_odd ? warp.num_threads() - side.num_threads() : 0;
place = side.thread_rank() + even;
