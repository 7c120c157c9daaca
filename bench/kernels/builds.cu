// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are compiled several times: for this CPU as namespace `native`, for any CPU with AVX2 as `avx2`, and
// with gangs of one warp as `gangs_of_32`.
#include "launch.cuh"
#include "programs.hpp"

#ifndef COHORT_BENCH_BUILD
#define COHORT_BENCH_BUILD native
#endif

namespace bench::COHORT_BENCH_BUILD {

namespace {

constexpr unsigned block_threads = 256;

__global__ void tree_sum_kernel(const float* in, float* out, size_t elements) {
  __shared__ float shared[block_threads];
  const unsigned i = threadIdx.x;
  const float* mine = in + blockIdx.x * elements;
  float sum = 0.0f;
  for (size_t k = i; k < elements; k += block_threads) sum += mine[k];
  shared[i] = sum;
  __syncthreads();
  for (unsigned stride = block_threads / 2; stride > 0; stride /= 2) {
    if (i < stride) shared[i] += shared[i + stride];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = shared[0];
}

__global__ void collatz_kernel(int32_t* out, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t x = i + 1;
  int32_t steps = 0;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  out[i] = steps;
}

__global__ void mandelbrot_kernel(int32_t* out, int width, int height, int limit) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const float cx = px * (3.0f / width) - 2.0f;
  const float cy = py * (2.0f / height) - 1.0f;
  float x = 0, y = 0;
  int turns = 0;
  for (; turns < limit && x * x + y * y <= 4.0f; ++turns) {
    const float new_x = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = new_x;
  }
  out[py * width + px] = turns;
}

__global__ void live_state_kernel(int rounds, float* values) {
  const float mine = values[threadIdx.x];
  for (int r = 0; r < rounds; ++r) __syncthreads();
  values[threadIdx.x] = mine + 1.0f;
}

}  // namespace

void barriers_with_live_state(int threads, int rounds, float* values) {
  launch("barriers with live state", 1, count(threads), live_state_kernel, rounds, values);
}
void tree_sum(const float* in, float* out, size_t batches, size_t elements) {
  launch("tree sum", static_cast<unsigned>(batches), block_threads, tree_sum_kernel, in, out, elements);
}
void collatz(int32_t* out, uint32_t n) {
  launch("Collatz", (n + block_threads - 1) / block_threads, block_threads, collatz_kernel, out, n);
}
void mandelbrot(int32_t* out, int width, int height, int limit) {
  launch("Mandelbrot", dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), mandelbrot_kernel, out, width, height,
         limit);
}

}  // namespace bench::COHORT_BENCH_BUILD
