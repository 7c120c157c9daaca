// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: needs an alignment of 2048 bytes; the limit is 1024
__global__ void k(int* p) {
  __shared__ __align__(2048) int x[4];
  x[threadIdx.x] = *p;
  *p = x[0];
}
