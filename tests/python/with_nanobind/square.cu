// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

namespace {

__global__ void square_kernel(float* values, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) values[i] *= values[i];
}

}  // namespace

// Squares `n` values in the host's memory.
cudaError_t square(float* values, size_t n) {
  float* device = nullptr;
  if (const cudaError_t error = cudaMalloc(&device, n * sizeof(float))) return error;
  cudaMemcpy(device, values, n * sizeof(float), cudaMemcpyHostToDevice);
  square_kernel<<<static_cast<unsigned>((n + 127) / 128), 128>>>(device, n);
  const cudaError_t error = cudaMemcpy(values, device, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return error;
}
