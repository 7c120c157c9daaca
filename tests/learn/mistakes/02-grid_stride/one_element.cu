// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: needs a loop for more
const int i = grid.thread_rank();
if (i < n) out[i] = 2 * in[i];
