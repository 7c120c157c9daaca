// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch that COHORT_LAUNCH_LIMIT ends. The thread then mostly runs functions of the checker, which are no lines of
// the kernel: the report must name the loop, in a function that is inlined.
#include <cstdio>

__device__ __forceinline__ void wait_without_end(int* words) {
  for (int i = 0; words[i & 3] == 0; ++i) words[4 + (i & 3)] = i;  // [loop]
}

__global__ void endless(int* words) { wait_without_end(words); }

int main() {
  int* words = nullptr;
  cudaMalloc(&words, 64);
  cudaMemset(words, 0, 64);
  endless<<<1, 1>>>(words);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
