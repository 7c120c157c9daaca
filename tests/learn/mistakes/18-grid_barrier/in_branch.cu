// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: also those without an element
if (i < n) {
  grid.sync();
  for (unsigned b = 0; b < grid.num_blocks(); ++b) of_grid = max(of_grid, largest[b]);
}
