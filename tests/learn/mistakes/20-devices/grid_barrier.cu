// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: all.sync() waits for all
grid.sync();
for (unsigned g = 0; g < all.num_grids(); ++g) total += sums[g];
