// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The build, not this source, selects the implementation of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int all = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(out, all);
}

int main() {
#ifdef COHORT_CUDA_SOURCE
  const char* whose = "Cohort";
#else
  const char* whose = "the toolkit";
#endif
  std::printf("groups of %s: %d bytes\n", whose, static_cast<int>(sizeof(cg::thread_block)));
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 0;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, 100 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 100; ++i) in[i] = i;
  *out = 0;
  sum<<<1, 100>>>(in, out);
  return cudaDeviceSynchronize() == cudaSuccess && *out == 4950 ? 0 : 1;
}
