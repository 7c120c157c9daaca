// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: Only the thread of rank 0 of each tile
const auto tile = cg::tiled_partition<8>(block);
out[block.thread_rank()] = 100 * tile.meta_group_rank() + tile.thread_rank();
tiles[tile.meta_group_rank()] += 1;
