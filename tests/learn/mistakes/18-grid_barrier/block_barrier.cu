// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: Only grid.sync() is a barrier of all blocks
block.sync();
for (unsigned b = 0; b < grid.num_blocks(); ++b) of_grid = max(of_grid, largest[b]);
