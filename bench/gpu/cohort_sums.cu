// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a large array with Cohort: over the whole grid in one cooperative launch, and one block for each batch.
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

#include "sums.cuh"

namespace {

// The sum of what one thread of `Threads` reads of tiles first, first + step, ...: 16 bytes at a time, `Loads` of them
// under way together. A tile is Threads * Loads vectors; the last one may be cut.
template <unsigned Threads, unsigned Loads>
__device__ float sum_of_tiles(const float4* in, size_t vectors, size_t first, size_t step) {
  constexpr size_t tile = size_t{Threads} * Loads;
  float4 sums[4] = {};
  const auto add = [&](float4& to, const float4& v) {
    to.x += v.x;
    to.y += v.y;
    to.z += v.z;
    to.w += v.w;
  };
  size_t begin = first * tile + threadIdx.x;
#pragma unroll 1
  for (; begin - threadIdx.x + tile <= vectors; begin += step * tile) {
    float4 loaded[Loads];
#pragma unroll
    for (unsigned i = 0; i < Loads; ++i) loaded[i] = __ldcs(in + begin + i * Threads);
#pragma unroll
    for (unsigned i = 0; i < Loads; ++i) add(sums[i % 4], loaded[i]);
  }
#pragma unroll 1
  for (size_t i = begin; i < begin - threadIdx.x + tile && i < vectors; i += Threads) add(sums[0], in[i]);
#pragma unroll
  for (unsigned i = 1; i < 4; ++i) add(sums[0], sums[i]);
  return (sums[0].x + sums[0].y) + (sums[0].z + sums[0].w);
}

constexpr unsigned whole_threads = 512, whole_loads = 8;
constexpr unsigned batch_threads = 512, batch_loads = 8;

__global__ __launch_bounds__(whole_threads, 2) void whole_sum(cohort::grid_workspace workspace, const float4* in,
                                                             size_t vectors, float* out) {
  const cohort::grid_group grid = cohort::this_grid(workspace);
  const float mine = sum_of_tiles<whole_threads, whole_loads>(in, vectors, blockIdx.x, gridDim.x);
  const float sum = cohort::reduce(grid, mine, cohort::plus<float>());
  if (grid.thread_rank() == 0) *out = sum;
}

__global__ __launch_bounds__(batch_threads) void batch_sum(const float4* in, size_t vectors, float* out) {
  const cohort::thread_block block = cohort::this_thread_block();
  const float mine = sum_of_tiles<batch_threads, batch_loads>(in + blockIdx.x * vectors, vectors, 0, 1);
  const float sum = cohort::reduce(block, mine, cohort::plus<float>());
  if (block.thread_rank() == 0) out[blockIdx.x] = sum;
}

void start_whole() {
  const sum_arrays& a = arrays();
  const cohort::error result =
      cohort::launch_cooperative({cohort::largest_grid, whole_threads}, whole_sum,
                                 reinterpret_cast<const float4*>(a.values), array_length / 4, a.sums);
  expect(static_cast<cudaError_t>(result.number()), "the sum's launch");
}
void start_batches() {
  const sum_arrays& a = arrays();
  batch_sum<<<batches, batch_threads>>>(reinterpret_cast<const float4*>(a.values), batch_length / 4, a.sums);
  expect(cudaGetLastError(), "the sums' launch");
}

}  // namespace

std::vector<row> sums_of_cohort() {
  return {
      {"sum of 2048 x 262144 floats", "GB/s", 1, [] { return rate_of(&start_whole, 1, array_length); }, 4550},
      {"2048 sums of 262144 floats", "GB/s", 1, [] { return rate_of(&start_batches, batches, batch_length); }, 4500},
  };
}
