// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code whose expf() is a function of SLEEF, which the link must find.
#include "scale.hpp"

__global__ void exp_kernel(float* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = expf(values[i]);
}

cudaError_t exponentials(float* values, int count, cudaStream_t stream) {
  exp_kernel<<<(count + 95) / 96, 96, 0, stream>>>(values, count);
  return cudaGetLastError();
}
