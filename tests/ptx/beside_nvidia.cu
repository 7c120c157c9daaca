// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cohort under its own name and NVIDIA's header in one file, without include/compat: two independent sets of groups.
// NVIDIA_FIRST reverses the order of the headers.
#ifdef NVIDIA_FIRST
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#endif
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>
#ifndef NVIDIA_FIRST
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#endif

#include <cstdio>

template <class Left, class Right>
constexpr bool same = false;
template <class Type>
constexpr bool same<Type, Type> = true;
static_assert(!same<cohort::thread_block, cooperative_groups::thread_block>);
static_assert(
    same<decltype(cohort::thread_block::thread_scope), decltype(cooperative_groups::thread_block::thread_scope)>);

// Reduces with each library's groups, and each library's operators.
__global__ void both(const int* in, int* out) {
  const auto ours = cohort::tiled_partition<16>(cohort::this_thread_block());
  const auto theirs = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  const int mine = in[threadIdx.x];
  int sum = reduce(ours, mine, cohort::plus<int>()) - reduce(theirs, mine, cooperative_groups::plus<int>());
  sum += cohort::reduce(ours, mine, cooperative_groups::less<int>());
  sum -= cooperative_groups::reduce(theirs, mine, cohort::less<int>());
  sum += inclusive_scan(ours, mine) - inclusive_scan(theirs, mine);
  ours.sync();
  theirs.sync();
  sum += static_cast<int>(ours.ballot(mine > 3)) - static_cast<int>(theirs.ballot(mine > 3));
  out[threadIdx.x] = sum;
}

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("no GPU\n");
    return 77;
  }
  constexpr unsigned threads = 96;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, threads * sizeof(int));
  cudaMallocManaged(&out, threads * sizeof(int));
  for (unsigned i = 0; i < threads; ++i) in[i] = static_cast<int>(i * 7 % 11), out[i] = 1;
  if (cohort::launch(1, threads, both, in, out) || cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (unsigned i = 0; i < threads; ++i) wrong += out[i] != 0 ? 1 : 0;
  std::printf("beside NVIDIA's header: %s\n", wrong == 0 ? "right" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
