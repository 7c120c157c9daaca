// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

__global__ void add_kernel(float* values, int n, float term) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] += term;
}

cudaError_t add(float* values, int n, float term) {
  add_kernel<<<(n + 63) / 64, 64>>>(values, n, term);
  return cudaDeviceSynchronize();
}
