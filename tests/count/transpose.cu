// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of docs/would-it-be-slow.md.
#include <cstdio>

__global__ void transpose(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

int main() {
  constexpr int n = 256;
  float *in, *out;
  cudaMallocManaged(&in, n * n * sizeof(float));
  cudaMallocManaged(&out, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i) in[i] = i;
  transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, out, n);
  cudaDeviceSynchronize();
  std::printf("%g\n", out[n + 2]);
}
