// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: the one of coalesced_threads(), not the warp
const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
const unsigned mask = warp.ballot(true);
int first = 0;
if (warp.thread_rank() == 0) first = reserve(counters, __popc(mask));
list[warp.shfl(first, 0) + warp.thread_rank()] = element;
