// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: failure: Behind the last block comes block 0
cluster.sync();
value = cluster.map_shared_rank(mine, cluster.block_rank() + 1)[t];
cluster.sync();
