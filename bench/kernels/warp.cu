// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "launch.cuh"
#include "programs.hpp"

namespace cg = cooperative_groups;

namespace bench {

namespace {

__global__ void sum_kernel(int rounds, float* values) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  float value = values[tile.thread_rank()];
  for (int r = 0; r < rounds; ++r) value = cg::reduce(tile, value, cg::plus<float>()) / 32.0f;
  values[tile.thread_rank()] = value;
}

__global__ void row_sum_kernel(int passes, const float* values, int rows, float* sums) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  for (int pass = 0; pass < passes; ++pass) {
    for (int r = 0; r < rows; ++r) {
      const float sum = cg::reduce(tile, values[r * 32 + tile.thread_rank()], cg::plus<float>());
      if (tile.thread_rank() == 0) sums[r] = sum;
    }
    __syncwarp();  // each pass loads the values again
  }
}

__global__ void shuffle_kernel(int rounds, int32_t* values) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int32_t value = values[tile.thread_rank()];
  for (int r = 0; r < rounds; ++r) value = tile.shfl(value, value + 1);
  values[tile.thread_rank()] = value;
}

__global__ void ballot_kernel(int rounds, uint32_t* values) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  uint32_t value = values[tile.thread_rank()];
  for (int r = 0; r < rounds; ++r) value += tile.ballot(value >> 4 & 1);
  values[tile.thread_rank()] = value;
}

__global__ void count_kernel(int passes, const uint32_t* words, int rows, uint32_t* counts) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  uint32_t count = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for (int r = 0; r < rows; ++r) count += __popc(tile.ballot(words[r * 32 + tile.thread_rank()] >> 4 & 1));
    __syncwarp();  // each pass loads the words again
  }
  counts[tile.thread_rank()] = count;
}

__global__ void scan_kernel(int rounds, uint32_t* values) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  uint32_t value = values[tile.thread_rank()];
  for (int r = 0; r < rounds; ++r) value = cg::inclusive_scan(tile, value, cg::plus<uint32_t>());
  values[tile.thread_rank()] = value;
}

__global__ void filter_kernel(const int32_t* in, int32_t* out, uint32_t elements, int32_t limit, uint32_t* taken) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements || in[i] <= limit) return;
  const auto group = cg::coalesced_threads();
  uint32_t base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(taken, group.size());
  out[group.shfl(base, 0) + group.thread_rank()] = in[i];
}

}  // namespace

void warp_sums(int rounds, float* values) { launch("warp sums", 1, 32, sum_kernel, rounds, values); }
void warp_shuffles(int rounds, int32_t* values) { launch("warp shuffles", 1, 32, shuffle_kernel, rounds, values); }
void warp_ballots(int rounds, uint32_t* values) { launch("warp ballots", 1, 32, ballot_kernel, rounds, values); }
void warp_row_sums(int passes, const float* values, int rows, float* sums) {
  launch("warp row sums", 1, 32, row_sum_kernel, passes, values, rows, sums);
}

void warp_counts(int passes, const uint32_t* words, int rows, uint32_t* counts) {
  launch("warp counts", 1, 32, count_kernel, passes, words, rows, counts);
}
void warp_scans(int rounds, uint32_t* values) { launch("warp scans", 1, 32, scan_kernel, rounds, values); }

uint32_t filter(const int32_t* in, int32_t* out, uint32_t elements, int32_t limit) {
  uint32_t taken = 0;
  launch("filter", (elements + 255) / 256, 256, filter_kernel, in, out, elements, limit, &taken);
  return taken;
}

}  // namespace bench
