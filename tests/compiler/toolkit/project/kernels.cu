// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

__global__ void add(int* out, int value) { atomicAdd(out, value); }

int run(int value) {
  int* out = nullptr;
  if (cudaMallocManaged(&out, sizeof *out) != cudaSuccess) return -1;
  *out = 0;
  add<<<2, 32>>>(out, value);
  if (cudaDeviceSynchronize() != cudaSuccess) return -2;
  const int result = *out;
  cudaFree(out);
  return result;
}
