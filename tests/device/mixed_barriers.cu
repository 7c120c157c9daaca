// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of a block waits in __syncthreads and half in __syncthreads_count, which is an error: the report names both
// places. Without an argument, all threads call one function after the other.
#include <cstdio>

__global__ void wait(int* counts, bool mixed) {
  int count = 0;
  if (mixed && threadIdx.x < 40) {
    __syncthreads();
  } else {
    count = __syncthreads_count(threadIdx.x % 3 == 0);
  }
  __syncthreads();
  counts[threadIdx.x] = count + 1000 * __syncthreads_count(threadIdx.x < 7);
}

int main(int argc, char**) {
  int* counts = nullptr;
  cudaMallocManaged(&counts, 100 * sizeof(int));
  wait<<<1, 100>>>(counts, argc > 1);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    printf("the error is %s\n", cudaGetErrorName(error));
    return 2;
  }
  for (int i = 0; i < 100; ++i) {
    if (counts[i] != 7034) return 1;
  }
  return 0;
}
