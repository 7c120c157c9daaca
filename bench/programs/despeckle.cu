// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in the style of older programs: one index gives row and column by / and %, tables give the neighbours, and
// a tree of sums handles remainders. Blocks have 512 threads.
#include <utility>

#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 512;

__global__ void add_tree(const float* in, float* partial, int n) {
  __shared__ float s[threads];
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int k = 2; k <= threads; k *= 2) {
    if ((t + 1) % k == 0) s[t] += s[t - k / 2];
    __syncthreads();
  }
  if (t == threads - 1) partial[blockIdx.x] = s[t];
}

__global__ void smooth(int n, int rows, const int* north, const int* south, const int* west, const int* east,
                       const float* sum, const float* in, float* out) {
  const int i = blockIdx.x * threads + threadIdx.x;
  int row = (i + 1) % rows - 1, column = (i + 1) / rows;
  if ((i + 1) % rows == 0) {
    row = rows - 1;
    column = column - 1;
  }
  if (i < n) {
    const float c = in[i];
    const float around = in[north[row] + rows * column] + in[south[row] + rows * column] +
                         in[row + rows * west[column]] + in[row + rows * east[column]];
    out[i] = c + 0.2f * (around - 4.0f * c) + 0.01f * (*sum / n - c);
  }
}

}  // namespace

void despeckle(const problems::despeckle& p) {
  const int n = p.rows * p.columns;
  float *image = p.image, *other = p.other;
  for (int s = 0; s < p.steps; ++s) {
    const float* from = image;
    float* to = p.partials;
    for (int left = n; left > 1;) {
      const int blocks = (left + threads - 1) / threads;
      add_tree<<<blocks, threads>>>(from, to, left);
      from = to;
      to += blocks;
      left = blocks;
    }
    smooth<<<(n + threads - 1) / threads, threads>>>(n, p.rows, p.north, p.south, p.west, p.east, from, image, other);
    std::swap(image, other);
  }
  finish("despeckle");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
