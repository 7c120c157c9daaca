// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overrun of docs/debugging.md, whose reports cite these line numbers. With the argument `mended` there is none.
#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] = i;
}

__global__ void fill_mended(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main(int count, char**) {
  int* x = nullptr;
  cudaMalloc(&x, 1000 * sizeof(int));
  if (count > 1) {
    fill_mended<<<8, 128>>>(x, 1000);
  } else {
    fill<<<8, 128>>>(x, 1000);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
