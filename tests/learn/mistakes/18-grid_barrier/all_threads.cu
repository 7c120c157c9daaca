// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: there are grid.num_blocks() of them
grid.sync();
for (unsigned b = 0; b <= grid.num_blocks(); ++b) of_grid = max(of_grid, largest[b]);
