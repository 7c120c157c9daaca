// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread for each point; each block adds its points in shared memory.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 256, axes = problems::k_means::axes, clusters = problems::k_means::clusters;

__global__ void assign_points(const float* points, const float* centers, float* sums, int* counts, int* nearest,
                              int n) {
  __shared__ float center[clusters * axes], sum[clusters * axes];
  __shared__ int count[clusters];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < clusters * axes) {
    center[t] = centers[t];
    sum[t] = 0;
  }
  if (t < clusters) count[t] = 0;
  __syncthreads();
  if (i < n) {
    float point[axes];
    for (int a = 0; a < axes; ++a) point[a] = points[a * n + i];
    int best = 0;
    float least = 3.4e38f;
    for (int c = 0; c < clusters; ++c) {
      float square = 0;
      for (int a = 0; a < axes; ++a) square += (point[a] - center[c * axes + a]) * (point[a] - center[c * axes + a]);
      if (square < least) {
        least = square;
        best = c;
      }
    }
    nearest[i] = best;
    atomicAdd(&count[best], 1);
    for (int a = 0; a < axes; ++a) atomicAdd(&sum[best * axes + a], point[a]);
  }
  __syncthreads();
  if (t < clusters * axes) atomicAdd(&sums[t], sum[t]);
  if (t < clusters) atomicAdd(&counts[t], count[t]);
}

__global__ void move_centers(float* centers, float* sums, int* counts) {
  const int t = threadIdx.x, count = counts[t / axes];
  if (count > 0) centers[t] = sums[t] / count;
  sums[t] = 0;
  __syncthreads();
  if (t < clusters) counts[t] = 0;
}

}  // namespace

void k_means(const problems::k_means& p) {
  for (int turn = 0; turn < p.turns; ++turn) {
    assign_points<<<(p.n + threads - 1) / threads, threads>>>(p.points, p.centers, p.sums, p.counts, p.nearest, p.n);
    move_centers<<<1, clusters * axes>>>(p.centers, p.sums, p.counts);
  }
  finish("k_means");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
