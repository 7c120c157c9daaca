// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: divergence: Move yours out of the condition
if (t < n) {
  copy[t] = x[t];
  block.sync();
  x[t] = copy[n - 1 - t];
}
