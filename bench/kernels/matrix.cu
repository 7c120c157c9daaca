// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.cuh"
#include "programs.hpp"

namespace bench {

namespace {

constexpr int tile = 32;

// One output for each thread.
__global__ void matrix_kernel(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[tile][tile];
  __shared__ float of_b[tile][tile];
  const int x = blockIdx.x * tile + threadIdx.x;
  const int y = blockIdx.y * tile + threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < n; k += tile) {
    of_a[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += of_a[threadIdx.y][i] * of_b[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

}  // namespace

void matrix_product(const float* a, const float* b, float* c, int n) {
  launch("matrix product", dim3(n / tile, n / tile), dim3(tile, tile), matrix_kernel, a, b, c, n);
}

}  // namespace bench
