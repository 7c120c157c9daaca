// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the image that images.cu loads: barriers, collectives, shared and device variables, malloc, printf and
// mathematics, so that each way to reach the engine is used.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int calls = 0;
__constant__ int factor = 3;
__managed__ int levels[3] = {7, 8, 9};
static __constant__ int addend = 40;

extern "C" __global__ void sum(const int* in, int n, int* out) {
  __shared__ int parts[32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int mine = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) mine += in[i];
  mine = cg::reduce(warp, mine, cg::plus<int>());
  if (warp.thread_rank() == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int all = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) all += parts[w];
  int* const heap = static_cast<int*>(malloc(sizeof(int)));
  *heap = all * factor + static_cast<int>(cosf(0.0f));
  *out = *heap;
  free(heap);
  printf("call %d\n", atomicAdd(&calls, 1));
}

extern "C" __global__ void grid_sum(int* out) {
  atomicAdd(out, 1);
  cg::this_grid().sync();
  if (cg::this_grid().thread_rank() == 0) *out *= 2;
}

static __global__ void store(int* out) { *out = addend + factor; }

void launch_store(int* out) { store<<<1, 1>>>(out); }

extern "C" __global__ void crash(int* nothing) { *nothing = 1; }
