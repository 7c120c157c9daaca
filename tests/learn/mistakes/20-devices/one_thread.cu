// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: All threads of all grids do
if (grid.thread_rank() == 0) all.sync();
grid.sync();
for (unsigned g = 0; g < all.num_grids(); ++g) total += sums[g];
