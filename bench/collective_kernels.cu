// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the collective rows, compiled by cohortcc.
#include <cstdio>
#include <cstdlib>

#include "collective_bodies.hpp"

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

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cohort_bench: %s failed: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void finish(const char* kernel) {
  check(cudaGetLastError(), kernel);
  check(cudaDeviceSynchronize(), kernel);
}

}  // namespace

namespace by_cohortcc {

void run_collective(bool in_block, collective what, int rounds) {
  collective_kernel<<<1, in_block ? 256 : 32>>>(in_block, what, rounds);
  finish("collective");
}
void sync_blocks(int blocks, int threads, int rounds) {
  block_sync_kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(rounds);
  finish("block_sync");
}
void sync_grid(int blocks, int threads, int rounds) {
  void* arguments[] = {&rounds};
  check(
      cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_sync_kernel), dim3(static_cast<unsigned>(blocks)),
                                  dim3(static_cast<unsigned>(threads)), arguments, 0, nullptr),
      "grid_sync");
  finish("grid_sync");
}

}  // namespace by_cohortcc

}  // namespace bench
