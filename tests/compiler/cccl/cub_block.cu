// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's algorithms of warps and blocks, compared with loops on the host.
#include <algorithm>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <vector>

#include "../plugin/check.hpp"

constexpr int threads = 128, items = 4, warps = threads / 32;

struct results {
  int block_sum, block_max;
  int scanned[threads], warp_scanned[threads], small_warp_sum[threads];
  double warp_sum[warps];
  unsigned sorted[threads * items];
};

__global__ void algorithms(results* out, const unsigned* in) {
  using reduce = cub::BlockReduce<int, threads>;
  using scan = cub::BlockScan<int, threads>;
  using sort = cub::BlockRadixSort<unsigned, threads, items>;
  using load = cub::BlockLoad<unsigned, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using store = cub::BlockStore<unsigned, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  using warp_reduce = cub::WarpReduce<double>;
  using small_reduce = cub::WarpReduce<int, 8>;
  using warp_scan = cub::WarpScan<int>;
  __shared__ union {
    typename reduce::TempStorage reduced;
    typename scan::TempStorage scanned;
    typename sort::TempStorage sorted;
    typename load::TempStorage loaded;
    typename store::TempStorage stored;
    typename warp_reduce::TempStorage warp_reduced[warps];
    typename small_reduce::TempStorage small_reduced[threads / 8];
    typename warp_scan::TempStorage warp_scanned[warps];
  } shared;
  const int thread = threadIdx.x, mine = static_cast<int>(in[thread] % 1000);
  unsigned keys[items];
  load(shared.loaded).Load(in, keys);
  __syncthreads();
  const int sum = reduce(shared.reduced).Sum(mine);
  __syncthreads();
  const int highest = reduce(shared.reduced).Reduce(mine, [](int a, int b) { return a > b ? a : b; });
  __syncthreads();
  scan(shared.scanned).ExclusiveSum(mine, out->scanned[thread]);
  __syncthreads();
  sort(shared.sorted).Sort(keys);
  __syncthreads();
  store(shared.stored).Store(out->sorted, keys);
  __syncthreads();
  const double warp_sum = warp_reduce(shared.warp_reduced[thread / 32]).Sum(mine * 0.5);
  __syncthreads();
  const int small_sum = small_reduce(shared.small_reduced[thread / 8]).Sum(mine);
  __syncthreads();
  warp_scan(shared.warp_scanned[thread / 32]).InclusiveSum(mine, out->warp_scanned[thread]);
  if (thread == 0) out->block_sum = sum, out->block_max = highest;
  if (thread % 32 == 0) out->warp_sum[thread / 32] = warp_sum;
  if (thread % 8 == 0) out->small_warp_sum[thread] = small_sum;
}

int main() {
  results* out;
  unsigned* in;
  EXPECT_SUCCESS(cudaMallocManaged(&out, sizeof *out));
  EXPECT_SUCCESS(cudaMallocManaged(&in, threads * items * sizeof(unsigned)));
  for (unsigned i = 0, state = 1; i < threads * items; ++i) in[i] = (state = state * 1664525u + 1013904223u) >> 3;
  algorithms<<<1, threads>>>(out, in);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  std::vector<unsigned> sorted(in, in + threads * items);
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < threads * items; ++i) expect_equal(out->sorted[i], sorted[i], "BlockRadixSort", i);
  int sum = 0, warp_sum = 0, highest = 0;
  for (int i = 0; i < threads; ++i) {
    const int value = static_cast<int>(in[i] % 1000);
    expect_equal(out->scanned[i], sum, "BlockScan", i);
    sum += value;
    warp_sum = value + (i % 32 == 0 ? 0 : warp_sum);
    expect_equal(out->warp_scanned[i], warp_sum, "WarpScan", i);
    if (i % 32 == 31) expect_equal(out->warp_sum[i / 32], warp_sum * 0.5, "WarpReduce", i);
    int small = 0;
    for (int j = 0; i % 8 == 0 && j < 8; ++j) small += static_cast<int>(in[i + j] % 1000);
    if (i % 8 == 0) expect_equal(out->small_warp_sum[i], small, "WarpReduce of 8 lanes", i);
    highest = std::max(highest, value);
  }
  expect_equal(out->block_sum, sum, "BlockReduce");
  expect_equal(out->block_max, highest, "BlockReduce with an operator");
  return result();
}
