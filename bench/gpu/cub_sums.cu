// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result rows of sums without Cohort: CUB sums the whole array, and kernels in the usual style with NVIDIA's header
// sum batches, one float at a time.
#include <cooperative_groups.h>

#include <cub/device/device_reduce.cuh>

#include "sums.cuh"

namespace {

namespace cg = cooperative_groups;

constexpr unsigned threads = 256;

__global__ __launch_bounds__(threads) void batch_sum(const float* in, size_t length, float* out) {
  __shared__ float of_warps[threads / 32];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const float* batch = in + blockIdx.x * length;
  float mine = 0;
  for (size_t i = block.thread_rank(); i < length; i += threads) mine += batch[i];
  for (unsigned distance = 16; distance > 0; distance /= 2) mine += warp.shfl_down(mine, distance);
  if (warp.thread_rank() == 0) of_warps[block.thread_rank() / 32] = mine;
  block.sync();
  if (block.thread_rank() == 0) {
    float sum = 0;
    for (float of_warp : of_warps) sum += of_warp;
    out[blockIdx.x] = sum;
  }
}

void start_grid() {
  const sum_arrays& a = arrays();
  static size_t bytes = 0;
  static void* memory = [&] {
    void* made = nullptr;
    expect(cub::DeviceReduce::Sum(nullptr, bytes, a.values, a.sums, array_length), "cub::DeviceReduce");
    expect(cudaMalloc(&made, bytes), "cudaMalloc");
    return made;
  }();
  expect(cub::DeviceReduce::Sum(memory, bytes, a.values, a.sums, array_length), "cub::DeviceReduce");
}
void start_batches() {
  const sum_arrays& a = arrays();
  batch_sum<<<batches, threads>>>(a.values, batch_length, a.sums);
  expect(cudaGetLastError(), "the sums' launch");
}

}  // namespace

std::vector<row> sums_of_cub() {
  return {
      {"sum of 2048 x 262144 floats", "GB/s", 1, [] { return rate_of(&start_grid, 1, array_length); }, least_share},
      {"the same sum, launch_cooperative", "GB/s", 1, [] { return rate_of(&start_grid, 1, array_length); },
       least_share},
      {"2048 sums of 262144 floats", "GB/s", 1, [] { return rate_of(&start_batches, batches, batch_length); },
       least_share},
  };
}
