// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 9, solved.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void keep_positive(const int* in, int* out, int* counts) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  int* const mine = out + grid.block_rank() * block.num_threads();
  const int element = in[grid.thread_rank()];
  const bool keeps = element > 0;
  // Your code begins: copy what is kept to `mine`, and its number to counts[grid.block_rank()].
  const int place = cg::exclusive_scan(block, keeps ? 1 : 0);
  if (keeps) mine[place] = element;
  if (block.thread_rank() == block.num_threads() - 1) counts[grid.block_rank()] = place + (keeps ? 1 : 0);
  // Your code ends.
  block.sync();
}
