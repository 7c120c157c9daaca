// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the collective rows, compiled by cohortcc.
#include "collective_bodies.hpp"
#include "launch.cuh"

namespace bench {

namespace {

__device__ eight result;

__global__ void collective_kernel(bool in_block, collective what, int rounds) {
  collective_rounds(in_block, what, rounds, &result);
}
__global__ void block_sync_kernel(int rounds) {
  for (int i = 0; i < rounds; ++i) __syncthreads();
}
__global__ void grid_sync_kernel(int rounds) { grid_sync_rounds(rounds); }

}  // namespace

namespace by_cohortcc {

void run_collective(bool in_block, collective what, int rounds) {
  launch("collective", 1, in_block ? 256 : 32, collective_kernel, in_block, what, rounds);
}
void sync_blocks(int blocks, int threads, int rounds) {
  launch("block_sync", count(blocks), count(threads), block_sync_kernel, rounds);
}
void sync_grid(int blocks, int threads, int rounds) {
  launch_cooperative("grid_sync", count(blocks), count(threads), grid_sync_kernel, rounds);
}

}  // namespace by_cohortcc

}  // namespace bench
