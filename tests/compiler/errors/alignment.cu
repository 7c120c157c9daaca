// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: wants an alignment of 256 bytes; at most 128 can be had
__global__ void k(int* p) {
  __shared__ __align__(256) int x[4];
  x[threadIdx.x] = *p;
  *p = x[0];
}
