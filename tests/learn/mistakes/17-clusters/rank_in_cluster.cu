// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: not below the number of threads
cluster.sync();
const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
value = cluster.map_shared_rank(mine, next)[cluster.thread_rank()];
cluster.sync();
