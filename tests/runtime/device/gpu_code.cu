// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints whether the GPU of COHORT_GPU runs the code that this file was compiled to.
#include <cstdio>

__global__ void store(int* p) { *p = 7; }

int main() {
  int* p = nullptr;
  cudaMallocManaged(&p, sizeof *p);
  *p = 0;
  store<<<1, 1>>>(p);
  const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
  std::printf("%s, %s, %d\n", cudaGetErrorName(launched), cudaGetErrorName(ended), *p);
}
