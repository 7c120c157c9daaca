// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: left out a collective of the warp
const auto side = cg::binary_partition(warp, is_odd);
place = side.thread_rank();
if (is_odd) place += 32 - __popc(warp.ballot(is_odd));
