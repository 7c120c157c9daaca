// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object with device functions that take groups, and with a kernel.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned in_block(cg::thread_block group) { return group.thread_rank(); }
__device__ unsigned in_tile(cg::thread_block_tile<16> group) { return group.thread_rank(); }
__device__ unsigned in_group(cg::thread_group group) { return static_cast<unsigned>(group.size()); }
__device__ unsigned in_coalesced(const cg::coalesced_group& group) { return group.thread_rank(); }
__device__ unsigned in_grid(cg::grid_group group) { return static_cast<unsigned>(group.thread_rank()); }

__global__ void own_kernel(unsigned* out) {
  out[threadIdx.x] = cg::tiled_partition<8>(cg::this_thread_block()).thread_rank();
}

// Launches this object's kernel and returns the sum of 64 ranks in tiles of 8, or a negative number.
int run_callee() {
  unsigned* out = nullptr;
  if (cudaMallocManaged(&out, 64 * sizeof(unsigned)) != cudaSuccess) return -1;
  own_kernel<<<1, 64>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return -2;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += static_cast<int>(out[i]);
  cudaFree(out);
  return sum;
}
