// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 4, solved.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void number_tiles(int* out, int* tiles) {
  const auto block = cg::this_thread_block();
  // Your code begins: divide the block into tiles of 8 threads, and number tiles and threads.
  const auto tile = cg::tiled_partition<8>(block);
  out[block.thread_rank()] = static_cast<int>(100 * tile.meta_group_rank() + tile.thread_rank());
  if (tile.thread_rank() == 0) tiles[tile.meta_group_rank()] += 1;
  // Your code ends.
}
