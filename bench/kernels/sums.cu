// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cooperative_groups.h>

#include "launch.cuh"
#include "programs.hpp"

namespace cg = cooperative_groups;

namespace bench {

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned warps = block_threads / 32;

__global__ void shuffle_sum_kernel(const float* in, float* out, size_t elements) {
  __shared__ float of_warp[warps];
  const unsigned i = threadIdx.x;
  const float* mine = in + blockIdx.x * elements;
  float sum = 0.0f;
  for (size_t k = i; k < elements; k += block_threads) sum += mine[k];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (i % 32 == 0) of_warp[i / 32] = sum;
  __syncthreads();
  if (i >= warps) return;
  sum = of_warp[i];
  for (unsigned step = warps / 2; step > 0; step /= 2) sum += __shfl_down_sync((1u << warps) - 1, sum, step);
  if (i == 0) out[blockIdx.x] = sum;
}

__device__ float sum_of_block(const cg::thread_block& block, float* shared, float mine) {
  const unsigned i = block.thread_rank();
  shared[i] = mine;
  block.sync();
  for (unsigned stride = block_threads / 2; stride > 0; stride /= 2) {
    if (i < stride) shared[i] += shared[i + stride];
    block.sync();
  }
  return shared[0];
}

__global__ void array_sum_kernel(const float* in, size_t elements, float* partials, float* out) {
  __shared__ float shared[block_threads];
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  float sum = 0.0f;
  for (size_t k = grid.thread_rank(); k < elements; k += grid.size()) sum += in[k];
  sum = sum_of_block(block, shared, sum);
  if (block.thread_rank() == 0) partials[blockIdx.x] = sum;
  grid.sync();
  if (blockIdx.x != 0) return;
  sum = 0.0f;
  for (unsigned k = block.thread_rank(); k < gridDim.x; k += block_threads) sum += partials[k];
  sum = sum_of_block(block, shared, sum);
  if (block.thread_rank() == 0) *out = sum;
}

}  // namespace

void shuffle_sum(const float* in, float* out, size_t batches, size_t elements) {
  launch("shuffle sum", static_cast<unsigned>(batches), block_threads, shuffle_sum_kernel, in, out, elements);
}

float array_sum(const float* in, size_t elements, int blocks, float* partials) {
  float sum = 0.0f;
  float* out = &sum;
  launch_cooperative("array sum", count(blocks), block_threads, array_sum_kernel, in, elements, partials, out);
  return sum;
}

}  // namespace bench
