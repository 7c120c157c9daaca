// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each launch does several steps: a tile of 16 x 16 threads has a halo, which shrinks with each step.
#include <utility>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int tile = 16;

__global__ void heat_steps(const float* in, const float* heat, float* out, int width, int height, int steps) {
  __shared__ float now[tile][tile], source[tile][tile], next[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, inner = tile - 2 * steps;
  const int y0 = inner * static_cast<int>(blockIdx.y) - steps, x0 = inner * static_cast<int>(blockIdx.x) - steps;
  const int y = y0 + ty, x = x0 + tx;
  const bool inside = y >= 0 && y < height && x >= 0 && x < width;
  if (inside) {
    now[ty][tx] = in[y * width + x];
    source[ty][tx] = heat[y * width + x];
  }
  __syncthreads();
  const int y_low = y0 < 0 ? -y0 : 0, y_high = y0 + tile > height ? height - 1 - y0 : tile - 1;
  const int x_low = x0 < 0 ? -x0 : 0, x_high = x0 + tile > width ? width - 1 - x0 : tile - 1;
  const int up = max(ty - 1, y_low), down = min(ty + 1, y_high);
  const int left = max(tx - 1, x_low), right = min(tx + 1, x_high);
  bool mine = false;
  for (int s = 0; s < steps; ++s) {
    mine = inside && tx > s && tx < tile - 1 - s && ty > s && ty < tile - 1 - s;
    if (mine) {
      next[ty][tx] = now[ty][tx] + 0.1f * (source[ty][tx] + (now[up][tx] + now[down][tx] - 2.0f * now[ty][tx]) +
                                           (now[ty][left] + now[ty][right] - 2.0f * now[ty][tx]));
    }
    __syncthreads();
    if (s == steps - 1) break;
    if (mine) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (mine) out[y * width + x] = next[ty][tx];
}

}  // namespace

void heat_2d(const problems::heat_2d& p) {
  const int inner = tile - 2 * p.steps;
  const dim3 blocks((p.width + inner - 1) / inner, (p.height + inner - 1) / inner);
  float *from = p.first, *to = p.second;
  for (int i = 0; i < p.launches; ++i) {
    heat_steps<<<blocks, dim3(tile, tile)>>>(from, p.source, to, p.width, p.height, p.steps);
    std::swap(from, to);
  }
  finish("heat_2d");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
