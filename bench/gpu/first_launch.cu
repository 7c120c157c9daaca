// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the microseconds that a program's first kernel takes from launch to end, after the context was made. The
// runtime loads the kernel's module in this time.
#include <cooperative_groups.h>

#include <chrono>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void kernel(int* result) {
  const cg::thread_block block = cg::this_thread_block();
  block.sync();
  if (block.thread_rank() == 0) *result = 1;
}

int main() {
  int* result = nullptr;
  if (cudaMalloc(&result, sizeof *result) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  const auto begin = std::chrono::steady_clock::now();
  kernel<<<1, 32>>>(result);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  std::printf("%.3f\n", time.count());
  return 0;
}
