// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes in different iterations of a loop do not form one group: all members of a group have one label.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ __noinline__ void add_group(int* bin) {
  const auto group = cg::coalesced_threads();
  if (group.thread_rank() == 0) atomicAdd(bin, static_cast<int>(group.size()));
}

__global__ void one_loop(const int* in, int n, int* bins, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int label = in[i];
  for (int b = 0; b < count; ++b) {
    if (label != b) continue;
    const auto group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(&bins[b], static_cast<int>(group.size()));
  }
}

__global__ void three_loops(const int* in, int n, int* bins, int rows, int columns) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int label = in[i];
  for (int again = 0; again < 3; ++again) {
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        if (label != row * columns + column || label % 3 != again) continue;
        const auto group = cg::coalesced_threads();
        if (group.thread_rank() == 0) atomicAdd(&bins[row * columns + column], static_cast<int>(group.size()));
      }
    }
  }
}

// All lanes are in the same iteration, so each iteration has one group.
__global__ void together(int* sizes, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const auto group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(&sizes[round], static_cast<int>(group.size()));
  }
  if (threadIdx.x % 2) add_group(&sizes[rounds]);
}

template <class Kernel>
int wrong_bins(int count, Kernel run) {
  constexpr int n = 1000;
  int *in = nullptr, *bins = nullptr;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&bins, count * sizeof(int));
  std::vector<int> expected(count);
  for (int i = 0; i < n; ++i) expected[in[i] = (i * 7919 + i / 3) % count]++;
  for (int b = 0; b < count; ++b) bins[b] = 0;
  run(in, n, bins);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int b = 0; b < count; ++b) wrong += bins[b] != expected[b];
  cudaFree(in);
  cudaFree(bins);
  return wrong;
}

int main() {
  int wrong = wrong_bins(37, [](const int* in, int n, int* bins) { one_loop<<<8, 128>>>(in, n, bins, 37); });
  wrong += wrong_bins(35, [](const int* in, int n, int* bins) { three_loops<<<8, 128>>>(in, n, bins, 5, 7); });
  constexpr int rounds = 70;
  int* sizes = nullptr;
  cudaMallocManaged(&sizes, (rounds + 1) * sizeof(int));
  for (int i = 0; i <= rounds; ++i) sizes[i] = 0;
  together<<<1, 32>>>(sizes, rounds);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < rounds; ++i) wrong += sizes[i] != 32;
  wrong += sizes[rounds] != 16;
  std::printf(wrong ? "%d wrong\n" : "passed\n", wrong);
  return wrong != 0;
}
