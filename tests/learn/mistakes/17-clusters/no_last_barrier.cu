// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: after the last
cluster.sync();
value = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks())[t];
