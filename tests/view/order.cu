// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Increments of a counter by a load and a store: the update of a thread that runs in between is lost.
#include <cstdio>

__global__ void count(int* counter) {
  const int seen = atomicAdd(counter, 0);
  atomicExch(counter, seen + 1);
}

int main() {
  int* counter;
  cudaMallocManaged(&counter, sizeof *counter);
  *counter = 0;
  count<<<1, 5>>>(counter);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s, %d\n", cudaGetErrorString(error), *counter);
  return 0;
}
