// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: begins again at 0 in each warp
const auto warp = cg::tiled_partition<32>(block);
const int place = cg::exclusive_scan(warp, keeps ? 1 : 0);
if (keeps) mine[place] = element;
if (block.thread_rank() == block.num_threads() - 1) counts[grid.block_rank()] = place + (keeps ? 1 : 0);
