// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: An inclusive scan counts the thread itself
const int place = cg::inclusive_scan(block, keeps ? 1 : 0);
if (keeps) mine[place] = element;
if (block.thread_rank() == block.num_threads() - 1) counts[grid.block_rank()] = place;
