// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel and its test: each of n values is multiplied by a factor.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

__global__ void scale(float* values, int n, float factor) {
  const auto grid = cooperative_groups::this_grid();
  for (auto i = grid.thread_rank(); i < n; i += grid.size()) values[i] *= factor;
}

int main() {
  const int n = 1003;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i);

  float* device = nullptr;
  const size_t bytes = n * sizeof(float);
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice);
  scale<<<3, 96>>>(device, n, 2.0f);
  cudaMemcpy(values.data(), device, bytes, cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaGetLastError();
  cudaFree(device);
  if (error != cudaSuccess) {
    std::printf("FAILED: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < n; ++i) {
    if (values[i] != 2.0f * static_cast<float>(i)) {
      std::printf("FAILED: value %d is %g\n", i, values[i]);
      return 1;
    }
  }
  std::printf("scale: %d values are right\n", n);
}
