// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel for each kind of finding. The build compiles it with several lists of kinds: test_kinds.py.
#include <cstdio>

__global__ void race(int* word) { *word = static_cast<int>(threadIdx.x); }

__global__ void memory(int* words) { words[threadIdx.x] = 1; }

__global__ void sync() {
  if (threadIdx.x < 24) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

int main() {
  int* words = nullptr;
  cudaMalloc(&words, 64 * sizeof(int));
  race<<<1, 64>>>(words);
  memory<<<1, 65>>>(words);
  sync<<<1, 64>>>();
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
