// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: rule: cluster.map_shared_rank has its address
const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
value = in[(grid.block_rank() - cluster.block_rank() + next) * cg::this_thread_block().num_threads() + t];
