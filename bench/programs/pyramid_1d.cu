// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each launch does several rows: a block has a halo in shared memory, which shrinks with each row.
#include <utility>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int width = 256;

__global__ void path_rows(const int* cost, const int* from, int* to, int columns, int row, int steps) {
  __shared__ int now[width], next[width];
  const int t = threadIdx.x, inner = width - 2 * steps;
  const int first = inner * static_cast<int>(blockIdx.x) - steps, x = first + t;
  const int low = first < 0 ? -first : 0, high = first + width > columns ? columns - 1 - first : width - 1;
  const int left = t - 1 < low ? low : t - 1, right = t + 1 > high ? high : t + 1;
  if (x >= 0 && x < columns) now[t] = from[x];
  __syncthreads();
  bool mine = false;
  for (int s = 0; s < steps; ++s) {
    mine = t >= s + 1 && t <= width - s - 2 && t >= low && t <= high;
    if (mine) next[t] = min(min(now[left], now[t]), now[right]) + cost[(row + s) * columns + x];
    __syncthreads();
    if (s == steps - 1) break;
    if (mine) now[t] = next[t];
    __syncthreads();
  }
  if (mine) to[x] = next[t];
}

}  // namespace

void pyramid_1d(const problems::pyramid_1d& p) {
  int *from = p.first, *to = p.second;
  for (int row = 0; row < p.rows; row += p.steps) {
    const int steps = min(p.steps, p.rows - row), inner = width - 2 * steps;
    path_rows<<<(p.columns + inner - 1) / inner, width>>>(p.cost, from, to, p.columns, row, steps);
    std::swap(from, to);
  }
  finish("pyramid_1d");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
