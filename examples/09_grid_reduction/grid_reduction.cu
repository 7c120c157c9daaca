// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the sum of an array, its mean, and the sum of all distances from the mean in one cooperative launch. A
// barrier of the grid between the steps replaces the boundaries of three kernels.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 128;

struct statistics {
  long long sum;
  long long mean;  // rounded towards zero
  unsigned long long total_distance;
};

// Sums over the block. All threads of the block call it; thread 0 returns the sum.
__device__ unsigned long long block_sum(const cg::thread_block& block, unsigned long long value) {
  __shared__ unsigned long long of_warp[32];
  const auto warp = cg::tiled_partition<32>(block);
  value = cg::reduce(warp, value, cg::plus<unsigned long long>());
  block.sync();  // all threads have read the values of the previous call
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = value;
  block.sync();
  unsigned long long total = 0;
  if (block.thread_rank() == 0) {
    for (unsigned w = 0; w < warp.meta_group_size(); ++w) total += of_warp[w];
  }
  return total;
}

__global__ void describe(const int* data, long long count, unsigned long long* block_sums, statistics* result) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const long long first = static_cast<long long>(grid.thread_rank());
  const long long stride = static_cast<long long>(grid.size());

  long long mine = 0;
  for (long long i = first; i < count; i += stride) mine += data[i];
  //! [grid_sync]
  const unsigned long long sum = block_sum(block, static_cast<unsigned long long>(mine));
  if (block.thread_rank() == 0) block_sums[grid.block_rank()] = sum;
  grid.sync();  // every block has stored its sum

  if (grid.thread_rank() == 0) {
    long long total = 0;
    for (unsigned long long b = 0; b < grid.num_blocks(); ++b) total += static_cast<long long>(block_sums[b]);
    result->sum = total;
    result->mean = total / count;
    result->total_distance = 0;
  }
  grid.sync();  // the mean is stored
  //! [grid_sync]

  const long long mean = result->mean;
  unsigned long long distance = 0;
  for (long long i = first; i < count; i += stride) {
    distance += static_cast<unsigned long long>(data[i] > mean ? data[i] - mean : mean - data[i]);
  }
  const unsigned long long part = block_sum(block, distance);
  if (block.thread_rank() == 0) atomicAdd(&result->total_distance, part);
}

int main(int argc, char** argv) {
  long long elements = 1000000, blocks = 0;
  example::options("grid_reduction", "sum, mean and distances in one cooperative launch")
      .number("--elements", elements, 1, 1000000000, "numbers")
      .number("--blocks", blocks, 0, 65535, "blocks of 128 threads; 0 is what the device holds at once")
      .parse(argc, argv);

  int device = 0, supported = 0, sms = 0, blocks_per_sm = 0;
  EXAMPLE_CHECK(cudaGetDevice(&device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  EXAMPLE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, describe, block_threads, 0));
  if (!supported) {
    std::fprintf(stderr, "grid_reduction: the device has no cooperative launch\n");
    return 1;
  }
  const int most = sms * blocks_per_sm;
  const int grid = blocks == 0 ? most : static_cast<int>(blocks);
  std::printf("%d SMs x %d blocks: at most %d at once, %d launched\n", sms, blocks_per_sm, most, grid);

  std::vector<int> data(static_cast<size_t>(elements));
  uint32_t state = 5;
  statistics expected{0, 0, 0};
  for (int& value : data) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 10) - (1 << 20);
    expected.sum += value;
  }
  expected.mean = expected.sum / elements;
  for (int value : data) {
    expected.total_distance +=
        static_cast<unsigned long long>(value > expected.mean ? value - expected.mean : expected.mean - value);
  }

  example::device_array<int> d_data(data);
  example::device_array<unsigned long long> d_sums(static_cast<size_t>(grid));
  example::device_array<statistics> d_result(1);
  const int* data_argument = d_data.get();
  unsigned long long* sums_argument = d_sums.get();
  statistics* result_argument = d_result.get();
  void* arguments[] = {&data_argument, &elements, &sums_argument, &result_argument};
  EXAMPLE_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(describe), dim3(static_cast<unsigned>(grid)),
                                            dim3(block_threads), arguments, 0, nullptr));
  EXAMPLE_CHECK_LAUNCH();

  const statistics found = d_result.to_host()[0];
  std::printf("sum %lld, mean %lld, total distance %llu\n", found.sum, found.mean, found.total_distance);
  bool right =
      found.sum == expected.sum && found.mean == expected.mean && found.total_distance == expected.total_distance;

  // One block more than fits must be refused: it would never reach the barrier.
  const cudaError_t refused =
      cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(describe), dim3(static_cast<unsigned>(most + 1)),
                                  dim3(block_threads), arguments, 0, nullptr);
  std::printf("%d blocks: %s\n", most + 1, cudaGetErrorName(refused));
  cudaGetLastError();
  right = right && refused == cudaErrorCooperativeLaunchTooLarge;
  return example::verdict(right, "sum, mean and distances; one block too many is refused");
}
