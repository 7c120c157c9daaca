// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scale.hpp"

namespace {

__global__ void scale_kernel(float* values, size_t n, float factor) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) values[i] *= factor;
}

}  // namespace

cudaError_t scale(float* values, size_t n, float factor) {
  scale_kernel<<<static_cast<unsigned>((n + 127) / 128), 128>>>(values, n, factor);
  return cudaDeviceSynchronize();
}
