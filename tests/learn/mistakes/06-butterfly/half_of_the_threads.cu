// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: All 8 threads take part in each step
for (int m = 4; m > 0; m /= 2) {
  if (tile.thread_rank() < m) value += tile.shfl_xor(value, m);
}
