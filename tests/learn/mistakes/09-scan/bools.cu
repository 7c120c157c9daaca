// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: counts to 1 only
const int place = cg::exclusive_scan(block, keeps);
if (keeps) mine[place] = element;
if (block.thread_rank() == block.num_threads() - 1) counts[grid.block_rank()] = place + (keeps ? 1 : 0);
