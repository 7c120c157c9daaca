// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In each warp, lane 0 waits for convergence while all other lanes spin on the word that lane 0 then writes.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr unsigned blocks = 4, threads = 256, warps = threads / 32;

__global__ void wait_for_lane_0(unsigned* words, unsigned* sum) {
  unsigned* const word = words + blockIdx.x * warps + threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    const unsigned lanes = cg::coalesced_threads().size();
    atomicExch(word, lanes);
  } else {
    while (atomicAdd(word, 0u) == 0) {
    }
  }
  atomicAdd(sum, *word);
}

int main() {
  unsigned *words, *sum;
  cudaMallocManaged(&words, blocks * warps * sizeof(unsigned));
  cudaMallocManaged(&sum, sizeof(unsigned));
  for (unsigned i = 0; i < blocks * warps; ++i) words[i] = 0;
  *sum = 0;
  wait_for_lane_0<<<blocks, threads>>>(words, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %u\n", cudaGetErrorName(error), *sum);
  return error != cudaSuccess || *sum != blocks * threads;
}
