// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alignment scores. Each launch does an antidiagonal of tiles: a block of 16 threads goes along the antidiagonals of
// its tile, with a barrier after each.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int tile = 16;

__global__ void align_tiles(const int* match, int* score, int width, int gap, int diagonal, int first) {
  __shared__ int s[tile + 1][tile + 1], m[tile][tile];
  const int t = threadIdx.x, bx = first + blockIdx.x, by = diagonal - bx;
  int* corner = score + by * tile * width + bx * tile;
  for (int y = 0; y < tile; ++y) m[y][t] = match[(by * tile + y + 1) * width + bx * tile + t + 1];
  s[t + 1][0] = corner[(t + 1) * width];
  s[0][t + 1] = corner[t + 1];
  if (t == 0) s[0][0] = corner[0];
  __syncthreads();
  for (int d = 0; d < 2 * tile - 1; ++d) {
    const int y = d - t + 1, x = t + 1;
    if (y >= 1 && y <= tile) {
      s[y][x] = max(max(s[y][x - 1] - gap, s[y - 1][x] - gap), s[y - 1][x - 1] + m[y - 1][x - 1]);
    }
    __syncthreads();
  }
  for (int y = 0; y < tile; ++y) corner[(y + 1) * width + t + 1] = s[y + 1][t + 1];
}

}  // namespace

void wavefront(const problems::wavefront& p) {
  const int tiles = p.n / tile;
  for (int d = 0; d < 2 * tiles - 1; ++d) {
    const int first = max(0, d - tiles + 1);
    align_tiles<<<min(d, tiles - 1) - first + 1, tile>>>(p.match, p.score, p.n + 1, p.gap, d, first);
  }
  finish("wavefront");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
