// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums in one pass: each block publishes its sum and looks back at the sums of earlier blocks. A counter numbers
// the blocks in the order of their start.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace cg = cooperative_groups;

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 256, items = problems::lookback_scan::tile / threads;
constexpr uint64_t has_sum = 1ull << 62, has_prefix = 2ull << 62, state_mask = 3ull << 62;

// The sum of all tiles before `tile`, whose own sum is `total`.
__device__ int look_back(volatile uint64_t* states, int tile, int total) {
  int prefix = 0;
  if (tile > 0) {
    states[tile] = has_sum | static_cast<unsigned>(total);
    for (int at = tile - 1; at >= 0;) {
      const uint64_t state = states[at];
      if ((state & state_mask) == 0) continue;
      prefix += static_cast<int>(static_cast<unsigned>(state));
      if ((state & state_mask) == has_prefix) break;
      --at;
    }
  }
  states[tile] = has_prefix | static_cast<unsigned>(prefix + total);
  return prefix;
}

// `states` begins with the counter.
__global__ void scan_tiles(const int* in, int* out, int n, uint64_t* states) {
  __shared__ int tile_sum[threads / 32], tile_rank, tile_prefix;
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  if (block.thread_rank() == 0) tile_rank = static_cast<int>(atomicAdd(reinterpret_cast<unsigned*>(states), 1u));
  block.sync();
  const int first = (tile_rank * threads + static_cast<int>(block.thread_rank())) * items;
  int mine[items], sum = 0;
#pragma unroll
  for (int k = 0; k < items; ++k) sum += mine[k] = first + k < n ? in[first + k] : 0;
  const int scan = cg::inclusive_scan(warp, sum);
  if (warp.thread_rank() == 31) tile_sum[warp.meta_group_rank()] = scan;
  block.sync();
  int before = 0, total = 0;
  for (unsigned w = 0; w < threads / 32; ++w) {
    if (w < warp.meta_group_rank()) before += tile_sum[w];
    total += tile_sum[w];
  }
  if (block.thread_rank() == 0) tile_prefix = look_back(states + 1, tile_rank, total);
  block.sync();
  int running = tile_prefix + before + scan - sum;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    running += mine[k];
    if (first + k < n) out[first + k] = running;
  }
}

}  // namespace

void lookback_scan(const problems::lookback_scan& p) {
  const int tiles = (p.n + problems::lookback_scan::tile - 1) / problems::lookback_scan::tile;
  scan_tiles<<<tiles, threads>>>(p.in, p.out, p.n, p.states);
  finish("lookback_scan");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
