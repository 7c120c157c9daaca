// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: -w
// EXPECT: host_call_in_kernel.cu:7:
// EXPECT: reference to __host__ function 'of_host' in __host__ __device__ function
// EXPECT: note: called by 'k'
int of_host(int x) { return x + 1; }
__host__ __device__ int both(int x) { return of_host(x); }
__host__ __device__ int unused(int x) { return of_host(x); }
__global__ void k(int* p) { *p = both(1); }
