// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: The cells at both ends
if (i < n) to[i] = mean(from, i);
grid.sync();
