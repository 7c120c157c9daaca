// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caught: values: larger than every negative element
largest = cg::reduce(warp, t < n ? in[t] : 0, cg::greater<int>());
