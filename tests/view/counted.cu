// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a bank conflict, with strided stores, and with idle lanes.
#include <cstdio>

__global__ void columns(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 1;
  __syncthreads();
  if (threadIdx.x < 8) {
    out[(blockIdx.x * 32 + threadIdx.y * 8 + threadIdx.x) * 16] = tile[threadIdx.x][threadIdx.y];
  }
}

int main() {
  float* out;
  cudaMalloc(&out, 2 * 32 * 16 * sizeof(float));
  columns<<<2, dim3(32, 4)>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
