// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object that calls the device functions of callee.cu with groups (GIVES_GROUPS), or only its host function.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

#ifdef GIVES_GROUPS
__device__ unsigned in_block(cg::thread_block group);
__device__ unsigned in_tile(cg::thread_block_tile<16> group);
__device__ unsigned in_group(cg::thread_group group);
__device__ unsigned in_coalesced(const cg::coalesced_group& group);
__device__ unsigned in_grid(cg::grid_group group);
__device__ unsigned rank() {
  const auto block = cg::this_thread_block();
  const auto lanes = cg::coalesced_threads();
  const bool right = in_block(block) == threadIdx.x && in_group(lanes) == 32 &&
                     in_coalesced(lanes) == threadIdx.x % 32 && in_grid(cg::this_grid()) == threadIdx.x;
  return right ? in_tile(cg::tiled_partition<16>(block)) : 1000;
}
#else
__device__ unsigned rank() { return cg::tiled_partition<16>(cg::this_thread_block()).thread_rank(); }
#endif

int run_callee();

__global__ void kernel(unsigned* out) { out[threadIdx.x] = rank(); }

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("no GPU\n");
    return 77;
  }
  unsigned* out = nullptr;
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  kernel<<<1, 64>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const int sum = run_callee();
  const bool right = out[63] == 15 && sum == 224;
  std::printf("two objects: %u and %d: %s\n", out[63], sum, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
