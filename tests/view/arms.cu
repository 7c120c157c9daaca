// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier in both arms of a branch: one barrier ends the waits at both places.
#include <cstdio>

__global__ void arms(int* x) {
  if (threadIdx.x < 24) {
    x[threadIdx.x] = 1;
    __syncthreads();
  } else {
    __syncthreads();
  }
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 64 * sizeof *x);
  arms<<<1, 64>>>(x);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return cudaFree(x) == cudaSuccess ? 0 : 1;
}
