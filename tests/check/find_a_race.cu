// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of docs/find-a-race.md, whose reports cite these line numbers.
#include <cstdio>

__global__ void sum(const float* x, float* total) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int distance = 128; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    if (distance > 32) __syncthreads();
  }
  if (t == 0) atomicAdd(total, part[0]);
}

int main() {
  const int n = 1024;
  float *x = nullptr, *total = nullptr;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&total, sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = 1;
  sum<<<n / 256, 256>>>(x, total);
  cudaDeviceSynchronize();
  std::printf("%g\n", *total);
}
