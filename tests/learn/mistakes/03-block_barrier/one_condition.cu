// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: memory: the store and the load
if (t < n) copy[t] = x[t];
block.sync();
x[t] = copy[n - 1 - t];
