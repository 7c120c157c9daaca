// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: race: no barrier is between the two
if (t < n) copy[t] = x[t];
__syncwarp();
if (t < n) x[t] = copy[n - 1 - t];
