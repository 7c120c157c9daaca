// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "launch.cuh"
#include "programs.hpp"

namespace cg = cooperative_groups;

namespace bench {

namespace {

__global__ void exchange_kernel(int rounds, uint32_t* values) {
  __shared__ uint32_t shared[1024];
  const unsigned i = threadIdx.x;
  uint32_t value = values[i];
  for (int r = 0; r < rounds; ++r) {
    shared[i] = value;
    __syncthreads();
    value += shared[(i + 1) % blockDim.x];
    __syncthreads();
  }
  values[i] = value;
}

__global__ void block_sum_kernel(int rounds, float* values) {
  const auto block = cg::this_thread_block();
  float value = values[threadIdx.x];
  for (int r = 0; r < rounds; ++r) {
    value = cg::reduce(block, value, cg::plus<float>()) / static_cast<float>(block.size());
  }
  values[threadIdx.x] = value;
}

}  // namespace

void exchange(int threads, int rounds, uint32_t* values) {
  launch("exchange", 1, count(threads), exchange_kernel, rounds, values);
}
void block_sums(int threads, int rounds, float* values) {
  launch("block sums", 1, count(threads), block_sum_kernel, rounds, values);
}

}  // namespace bench
