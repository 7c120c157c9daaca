// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows with NVIDIA's own header, and with CUB where that header has nothing.
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
  return rows;
}
