// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: dynamic_parallelism.cu:5:34: error: reference to __global__ function 'child'
// EXPECT: cohortcc has no dynamic parallelism: launch the kernel from the host
__global__ void child(int* p) { p[threadIdx.x] = 7; }
__global__ void parent(int* p) { child<<<1, 4>>>(p); }
