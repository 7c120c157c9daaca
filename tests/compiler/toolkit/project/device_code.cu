// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__device__ int twice_plus_one(int x) { return 2 * x + 1; }
