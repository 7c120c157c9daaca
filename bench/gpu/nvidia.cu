// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows measured with NVIDIA's header, and with CUB where that header lacks the operation.
#define BENCH_NVIDIA
#include "kernels.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace {

template <int Threads>
struct cub_reduce {
  using value = float;
  template <class Group>
  static __device__ float step(const Group&, float v, int) {
    using reduce = cub::BlockReduce<float, Threads>;
    __shared__ typename reduce::TempStorage storage;
    __shared__ float total;
    const float sum = reduce(storage).Sum(v);
    if (threadIdx.x == 0) total = sum;
    __syncthreads();
    return total + odd();
  }
};
template <int Threads>
struct cub_reduce_int {
  using value = int;
  template <class Group>
  static __device__ int step(const Group&, int v, int) {
    using reduce = cub::BlockReduce<int, Threads>;
    __shared__ typename reduce::TempStorage storage;
    __shared__ int total;
    const int sum = reduce(storage).Sum(v);
    if (threadIdx.x == 0) total = sum;
    __syncthreads();
    return total + 1;
  }
};
template <int Threads>
struct cub_scan {
  using value = float;
  template <class Group>
  static __device__ float step(const Group&, float v, int) {
    using scan = cub::BlockScan<float, Threads>;
    __shared__ typename scan::TempStorage storage;
    float sum;
    scan(storage).InclusiveSum(v, sum);
    __syncthreads();
    return sum + 1;
  }
};
template <class T, int Threads>
struct cub_exclusive_scan {
  using value = T;
  template <class Group>
  static __device__ T step(const Group&, T v, int) {
    using scan = cub::BlockScan<T, Threads>;
    __shared__ typename scan::TempStorage storage;
    T sum;
    scan(storage).ExclusiveSum(v, sum);
    __syncthreads();
    return sum + 1;
  }
};

// NVIDIA's header lacks a shuffle of a tile of 64 whose lanes read different ranks: an exchange through shared memory.
OPERATION(exchange_in_block, int, {
  __shared__ int values[1024];
  values[threadIdx.x] = v;
  g.sync();
  const int found = values[(threadIdx.x & ~63u) + ((v + arg + static_cast<int>(threadIdx.x)) & 63)];
  g.sync();
  return found + 1;
})

}  // namespace

std::vector<row> rows_of_nvidia() {
  std::vector<row> rows = common_rows();
  rows.push_back({"block 128: reduce float", "cycles", 0.75, &loop<block_group, cub_reduce<128>, 128>});
  rows.push_back({"block 128: scan float", "cycles", 0.85, &loop<block_group, cub_scan<128>, 128>});
  rows.push_back({"block 256: reduce float", "cycles", 0.75, &loop<block_group, cub_reduce<256>, 256>});
  rows.push_back({"block 256: scan float", "cycles", 0.85, &loop<block_group, cub_scan<256>, 256>});
  rows.push_back({"block 512: reduce float", "cycles", 0.75, &loop<block_group, cub_reduce<512>, 512>});
  rows.push_back({"block 512: scan float", "cycles", 0.85, &loop<block_group, cub_scan<512>, 512>});
  rows.push_back({"block 1024: reduce float", "cycles", 0.75, &loop<block_group, cub_reduce<1024>, 1024>});
  rows.push_back({"block 1024: scan float", "cycles", 0.85, &loop<block_group, cub_scan<1024>, 1024>});
  // The peer of partial tiles above 32 threads is the barrier of the block: such a kernel did not return with NVIDIA's
  // header.
  rows.push_back({"tile 64 of 992: sync", "cycles", 2.7, &loop<block_group, sync_op, 992>});
  rows.push_back({"tile 128 of 160: sync", "cycles", 3.1, &loop<block_group, sync_op, 160>});
  rows.push_back({"block 256: reduce int", "cycles", 0.75, &loop<block_group, cub_reduce_int<256>, 256>});
  rows.push_back({"block 1024: reduce int", "cycles", 0.86, &loop<block_group, cub_reduce_int<1024>, 1024>});
  rows.push_back(
      {"block 256: exclusive scan float", "cycles", 1.2, &loop<block_group, cub_exclusive_scan<float, 256>, 256>});
  rows.push_back(
      {"block 256: exclusive scan int", "cycles", 0.87, &loop<block_group, cub_exclusive_scan<int, 256>, 256>});
  rows.push_back({"block 352: reduce float", "cycles", 2.2, &loop<block_group, cub_reduce<352>, 352>});
  rows.push_back({"block 100: scan float", "cycles", 2.5, &loop<block_group, cub_scan<100>, 100>});
  rows.push_back({"tile 64 of 1024: shfl by lane", "cycles", 0, &loop<block_group, exchange_in_block, 1024>});
  // Reductions and scans of the block stand in for those of partial tiles.
  rows.push_back({"tile 64 of 100: reduce float", "cycles", 0, &loop<block_group, cub_reduce<100>, 100>});
  rows.push_back({"tile 64 of 100: scan float", "cycles", 0, &loop<block_group, cub_scan<100>, 100>});
  rows.push_back({"tile 64 of 1000: reduce float", "cycles", 0, &loop<block_group, cub_reduce<1000>, 1000>});
  rows.push_back({"tile 64 of 1000: scan float", "cycles", 0, &loop<block_group, cub_scan<1000>, 1000>});
  rows.push_back({"tile 128 of 1000: scan float", "cycles", 0, &loop<block_group, cub_scan<1000>, 1000>});
  return rows;
}
