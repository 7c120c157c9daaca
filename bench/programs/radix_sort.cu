// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass sorts by four bits: it counts the digits of each tile, scans all counts, and moves the keys in a stable order.
// match_any finds the threads of a warp with equal digits.
#include <cooperative_groups.h>

#include <utility>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace cg = cooperative_groups;

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 256, warps = threads / 32, tile_keys = problems::radix_sort::tile;
constexpr int digits = problems::radix_sort::digits, turns = tile_keys / threads;
constexpr int scan_threads = 1024;

__device__ unsigned digit_of(unsigned key, int shift) { return key >> shift & (digits - 1); }

__global__ void count_digits(const unsigned* keys, int n, int shift, unsigned* counts) {
  __shared__ unsigned count[digits];
  if (threadIdx.x < digits) count[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * tile_keys;
  for (int i = first + threadIdx.x; i < min(first + tile_keys, n); i += threads) {
    atomicAdd(&count[digit_of(keys[i], shift)], 1u);
  }
  __syncthreads();
  if (threadIdx.x < digits) counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

// Exclusive prefix sums of all counts, in one block.
__global__ void scan_counts(unsigned* counts, int n) {
  __shared__ unsigned sums[scan_threads];
  const int t = threadIdx.x, share = (n + scan_threads - 1) / scan_threads;
  const int first = min(t * share, n), last = min(first + share, n);
  unsigned sum = 0;
  for (int i = first; i < last; ++i) sum += counts[i];
  sums[t] = sum;
  __syncthreads();
  for (int distance = 1; distance < scan_threads; distance *= 2) {
    const unsigned before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  unsigned running = sums[t] - sum;
  for (int i = first; i < last; ++i) {
    const unsigned count = counts[i];
    counts[i] = running;
    running += count;
  }
}

// Each warp moves tile_keys / warps consecutive keys.
__global__ void scatter_keys(const unsigned* keys, unsigned* out, int n, int shift, const unsigned* starts) {
  __shared__ unsigned next[warps][digits];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned w = warp.meta_group_rank(), lane = warp.thread_rank();
  if (lane < digits) next[w][lane] = 0;
  warp.sync();
  const int first = blockIdx.x * tile_keys + w * (tile_keys / warps) + lane;
  unsigned mine[turns], rank[turns];
  for (int k = 0; k < turns; ++k) {
    const int i = first + 32 * k;
    mine[k] = i < n ? keys[i] : 0xffffffffu;
    const unsigned digit = digit_of(mine[k], shift), equal = __match_any_sync(0xffffffffu, digit);
    const unsigned before = __popc(equal & ((1u << lane) - 1));
    rank[k] = next[w][digit] + before;
    warp.sync();
    if (before == 0) next[w][digit] += __popc(equal);
    warp.sync();
  }
  block.sync();
  if (threadIdx.x < digits) {
    unsigned running = starts[threadIdx.x * gridDim.x + blockIdx.x];
    for (int i = 0; i < warps; ++i) {
      const unsigned count = next[i][threadIdx.x];
      next[i][threadIdx.x] = running;
      running += count;
    }
  }
  block.sync();
  for (int k = 0; k < turns; ++k) {
    if (first + 32 * k < n) out[next[w][digit_of(mine[k], shift)] + rank[k]] = mine[k];
  }
}

}  // namespace

void radix_sort(const problems::radix_sort& p) {
  const int tiles = (p.n + tile_keys - 1) / tile_keys;
  unsigned *keys = p.keys, *other = p.other;
  for (int shift = 0; shift < 32; shift += 4) {
    count_digits<<<tiles, threads>>>(keys, p.n, shift, p.counts);
    scan_counts<<<1, scan_threads>>>(p.counts, digits * tiles);
    scatter_keys<<<tiles, threads>>>(keys, other, p.n, shift, p.counts);
    std::swap(keys, other);
  }
  finish("radix_sort");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
