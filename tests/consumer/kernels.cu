// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

#include "consumer.hpp"

#ifndef CONSUMER_FACTOR
#error "the target's definition did not reach the .cu source"
#endif

namespace cg = cooperative_groups;

void add_one(int* data, int count);  // defined in kernels_other.cu

__global__ void warp_sums(int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = cg::reduce(warp, i, cg::plus<int>()) * CONSUMER_FACTOR;
}

int main() {
  const int count = consumer_blocks * consumer_threads;
  int* data = nullptr;
  if (cudaMallocManaged(&data, count * sizeof(int)) != cudaSuccess) return 1;
  warp_sums<<<consumer_blocks, consumer_threads>>>(data);
  add_one(data, count);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("kernels: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < count; ++i) {
    if (data[i] != expected_value(i)) {
      std::printf("kernels: element %d is %d, expected %d\n", i, data[i], expected_value(i));
      return 1;
    }
  }
  cudaFree(data);
  std::printf("kernels: right\n");
  return 0;
}
