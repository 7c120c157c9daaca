// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A separable filter: rows, then columns, with a halo in shared memory.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int radius = problems::convolution::radius, taps = 2 * radius + 1;
constexpr int row_width = 128, row_height = 2, column_width = 32, column_height = 8, column_points = 4;

__constant__ float tap[taps];

__global__ void filter_rows(const float* in, float* out, int width, int height) {
  __shared__ float s[row_height][row_width + 2 * radius];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * row_width + tx, y = blockIdx.y * row_height + ty;
  const float* row = in + y * width;
  const bool exists = y < height;
  s[ty][tx + radius] = exists && x < width ? row[x] : 0.0f;
  if (tx < radius) {
    s[ty][tx] = exists && x >= radius ? row[x - radius] : 0.0f;
    s[ty][tx + row_width + radius] = exists && x + row_width < width ? row[x + row_width] : 0.0f;
  }
  __syncthreads();
  if (!exists || x >= width) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < taps; ++k) sum += tap[k] * s[ty][tx + k];
  out[y * width + x] = sum;
}

// Each thread computes `column_points` points.
__global__ void filter_columns(const float* in, float* out, int width, int height) {
  constexpr int rows = column_height * column_points;
  __shared__ float s[rows + 2 * radius][column_width];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * column_width + tx, top = blockIdx.y * rows;
  for (int r = ty; r < rows + 2 * radius; r += column_height) {
    const int y = top + r - radius;
    s[r][tx] = x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < column_points; ++i) {
    const int r = ty + i * column_height;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < taps; ++k) sum += tap[k] * s[r + k][tx];
    if (x < width && top + r < height) out[(top + r) * width + x] = sum;
  }
}

unsigned parts(int n, int part) { return static_cast<unsigned>((n + part - 1) / part); }

}  // namespace

void convolution(const problems::convolution& p) {
  check(cudaMemcpyToSymbolAsync(tap, p.filter, sizeof tap, 0, cudaMemcpyHostToDevice), "convolution");
  filter_rows<<<dim3(parts(p.width, row_width), parts(p.height, row_height)), dim3(row_width, row_height)>>>(
      p.in, p.rows, p.width, p.height);
  filter_columns<<<dim3(parts(p.width, column_width), parts(p.height, column_height * column_points)),
                   dim3(column_width, column_height)>>>(p.rows, p.out, p.width, p.height);
  finish("convolution");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
