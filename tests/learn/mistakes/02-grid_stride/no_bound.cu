// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: at or after n
int i = grid.thread_rank();
do {
  out[i] = 2 * in[i];
  i += grid.num_threads();
} while (i < n);
