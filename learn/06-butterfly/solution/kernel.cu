// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 6, solved.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tile_sums(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int value = in[block.thread_rank()];
  // Your code begins: `value` becomes the sum over the tile, in each of its threads.
  for (int m = 1; m < 8; m *= 2) value += tile.shfl_xor(value, m);
  // Your code ends.
  out[block.thread_rank()] = value;
  tile.sync();
}
