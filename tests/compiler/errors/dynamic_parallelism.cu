// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: dynamic_parallelism.cu:6:
// EXPECT: error: a kernel launch from a __device__ or __global__ function requires separate compilation mode
// EXPECT: compile with -rdc=true
__global__ void child(int* p) { p[threadIdx.x] = 7; }
__global__ void parent(int* p) { child<<<1, 4>>>(p); }
