// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A race between kernels of two streams, whose blocks have different shapes, and one with a copy.
#include <cstdio>

__global__ void rows(int* x) { x[threadIdx.y * 8 + threadIdx.x] = 1; }

__global__ void line(int* x) { x[threadIdx.x] += 2; }

int main() {
  constexpr size_t bytes = 64 * sizeof(int);
  int *x = nullptr, *y = nullptr;
  cudaMallocManaged(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  rows<<<1, dim3(8, 4), 0, a>>>(x);
  line<<<1, 64, 0, b>>>(x);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(y, x, bytes, cudaMemcpyDefault, a);
  line<<<1, 64, 0, b>>>(x);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
