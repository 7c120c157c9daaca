// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: orders only the threads of one block
cg::this_thread_block().sync();
value = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks())[t];
cluster.sync();
