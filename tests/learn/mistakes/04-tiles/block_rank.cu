// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: Ask the tile for the rank
const auto tile = cg::tiled_partition<8>(block);
out[block.thread_rank()] = 100 * tile.meta_group_rank() + block.thread_rank();
if (tile.thread_rank() == 0) tiles[tile.meta_group_rank()] += 1;
