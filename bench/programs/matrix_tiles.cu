// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product by tiles of 16 x 16 threads in shared memory.
#include <cooperative_groups.h>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace cg = cooperative_groups;

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int tile = 16;

__global__ void multiply_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[tile][tile], of_b[tile][tile];
  const auto block = cg::this_thread_block();
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    of_a[ty][tx] = a[y * n + k + tx];
    of_b[ty][tx] = b[(k + ty) * n + x];
    block.sync();
#pragma unroll
    for (int i = 0; i < tile; ++i) sum += of_a[ty][i] * of_b[i][tx];
    block.sync();
  }
  c[y * n + x] = sum;
}

}  // namespace

void matrix_tiles(const problems::matrix_tiles& p) {
  const unsigned blocks = p.n / tile;
  multiply_tiles<<<dim3(blocks, blocks), dim3(tile, tile)>>>(p.a, p.b, p.c, p.n);
  finish("matrix_tiles");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
