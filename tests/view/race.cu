// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race in docs/debugging.md, whose reports cite these line numbers. The argument `mended` removes it.
#include <cstdio>

__global__ void neighbour(const int* x, int* sum) {
  __shared__ int part[128];
  const int t = threadIdx.x;
  part[t] = x[t];
  sum[t] = part[t] + part[(t + 1) % 128];
}

__global__ void neighbour_mended(const int* x, int* sum) {
  __shared__ int part[128];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  sum[t] = part[t] + part[(t + 1) % 128];
}

int main(int count, char**) {
  int *x = nullptr, *sum = nullptr;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&sum, 128 * sizeof(int));
  cudaMemset(x, 1, 128 * sizeof(int));
  if (count > 1) {
    neighbour_mended<<<1, 128>>>(x, sum);
  } else {
    neighbour<<<1, 128>>>(x, sum);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(sum);
}
