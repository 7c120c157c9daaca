// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that the kernel in separable.cu calls.
__device__ int number = 0;
__managed__ int calls = 0;
__constant__ int factor = 10 * NUMBER;

__device__ int scaled(int x) { return factor * x; }
