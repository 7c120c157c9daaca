// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: deadlock: Threads without an element take part with INT_MIN
largest = INT_MIN;
if (t < n) largest = cg::reduce(warp, in[t], cg::greater<int>());
