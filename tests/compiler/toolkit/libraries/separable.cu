// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library of two files with -rdc=true (separable_parts.cu). NUMBER distinguishes two libraries with equal names.
#include <cuda_runtime.h>

extern __device__ int number;
extern __managed__ int calls;
__device__ int scaled(int x);

static __global__ void compute(int* out) {
  *out = scaled(number);
  ++calls;
}

extern "C" int value() {
  const int start = NUMBER;
  int* out = nullptr;
  if (cudaMallocManaged(&out, sizeof *out) != cudaSuccess) return -1;
  if (cudaMemcpyToSymbol(number, &start, sizeof start) != cudaSuccess) return -2;
  compute<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return -3;
  return *out + 1000 * calls;
}
