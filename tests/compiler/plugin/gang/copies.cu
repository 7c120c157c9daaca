// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies of gangs: each lane has stages of its own, which are copied when it waits for them, or returns.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstring>
#include <cuda/pipeline>

#include "../check.hpp"

constexpr int threads = 96, blocks = 3, items = threads * blocks, steps = 5;

// Each thread reads before and after a wait that leaves one or two stages open.
__global__ void stages(const int* in, int* seen) {
  __shared__ int shared[3 * threads];
  const int thread = threadIdx.x, place = blockIdx.x * threads + thread;
  for (int stage = 0; stage < 3; ++stage) shared[stage * threads + thread] = -1;
  for (int stage = 0; stage < 3; ++stage) {
    if (thread % 3 != stage) __pipeline_memcpy_async(&shared[stage * threads + thread], &in[place], sizeof(int));
    __pipeline_commit();
  }
  int* mine = seen + place * 6;
  for (int stage = 0; stage < 3; ++stage) mine[stage] = shared[stage * threads + thread];
  if (thread % 2 == 0) {
    __pipeline_wait_prior(1);
  } else {
    __pipeline_wait_prior(2);
  }
  __syncthreads();
  for (int stage = 0; stage < 3; ++stage) mine[3 + stage] = shared[stage * threads + (thread ^ 2)];
  __syncthreads();  // a return completes the other copies
}

// A rotating buffer: the block sums what its neighbours have copied.
__global__ void rotate(const float* in, float* out) {
  __shared__ float shared[2][threads];
  const int thread = threadIdx.x, place = blockIdx.x * threads + thread;
  auto pipe = cuda::make_pipeline();
  auto copy = [&](int step) {
    pipe.producer_acquire();
    if (step < steps) cuda::memcpy_async(&shared[step % 2][thread], &in[step * items + place], sizeof(float), pipe);
    pipe.producer_commit();
  };
  float sum = 0;
  copy(0);
  for (int step = 0; step < steps; ++step) {
    copy(step + 1);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    for (int k = 0; k < threads; ++k) sum = sum * 0.5f + shared[step % 2][(thread + k) % threads];
    pipe.consumer_release();
    __syncthreads();
  }
  out[place] = sum;
}

// Rows of 16 threads. Where `part` is not 0, lanes copy 1 to 4 bytes of each number.
template <int part>
__global__ void tiles(const float* in, float* out, int count) {
  __shared__ float shared[2][16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  shared[0][y][x] = shared[1][y][x] = 0;
  auto pipe = cuda::make_pipeline();
  auto copy = [&](int step) {
    pipe.producer_acquire();
    const unsigned bytes = part == 0 ? 4 : 1 + threadIdx.y % 4;
    if (step < count) cuda::memcpy_async(&shared[step % 2][y][x], &in[(step * 16 + y) * 16 + x], bytes, pipe);
    pipe.producer_commit();
  };
  float sum = 0;
  copy(0);
  for (int step = 0; step < count; ++step) {
    copy(step + 1);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum = sum * 0.5f + shared[step % 2][y][k] * shared[step % 2][k][x];
    pipe.consumer_release();
    __syncthreads();
  }
  out[y * 16 + x] = sum;
}

template <int part>
void check_tiles(const float* in, float* out) {
  constexpr int count = 5;
  tiles<part><<<1, dim3(16, 16)>>>(in, out, count);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  auto copied = [&](int step, int y, int x) {
    float value = 0;
    std::memcpy(&value, &in[(step * 16 + y) * 16 + x], part == 0 ? 4 : 1 + y % 4);
    return value;
  };
  for (int i = 0; i < 256; ++i) {
    float sum = 0;
    for (int step = 0; step < count; ++step) {
      for (int k = 0; k < 16; ++k) sum = sum * 0.5f + copied(step, i / 16, k) * copied(step, k, i % 16);
    }
    expect_equal(out[i], sum, part == 0 ? "tiles" : "parts of tiles", i);
  }
}

// Copies for which no thread waits; odd threads return before a barrier.
__global__ void unawaited(const int* in, int* out) {
  const int place = blockIdx.x * threads + threadIdx.x;
  __pipeline_memcpy_async(&out[place], &in[place], sizeof(int));
  if (threadIdx.x % 2 == 1) return;
  __syncthreads();
  __pipeline_memcpy_async(&out[items + place], &in[place], sizeof(int));
}

int main() {
  int *in, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, items * sizeof *in));
  EXPECT_SUCCESS(cudaMallocManaged(&out, 6 * items * sizeof *out));
  for (int i = 0; i < items; ++i) in[i] = 3 * i + 7;
  stages<<<blocks, threads>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < items; ++i) {
    const int thread = i % threads, other = thread ^ 2;
    for (int stage = 0; stage < 3; ++stage) {
      expect_equal(out[6 * i + stage], -1, "before the wait", i);
      const bool made = other % 3 != stage && stage < (other % 2 == 0 ? 2 : 1);
      expect_equal(out[6 * i + 3 + stage], made ? in[i - thread + other] : -1, "after the wait", i);
    }
  }

  float *values, *sums;
  EXPECT_SUCCESS(cudaMallocManaged(&values, steps * items * sizeof *values));
  EXPECT_SUCCESS(cudaMallocManaged(&sums, items * sizeof *sums));
  for (int i = 0; i < steps * items; ++i) values[i] = static_cast<float>(i % 37);
  rotate<<<blocks, threads>>>(values, sums);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < items; ++i) {
    float sum = 0;
    for (int step = 0; step < steps; ++step) {
      const float* block = values + step * items + i / threads * threads;
      for (int k = 0; k < threads; ++k) sum = sum * 0.5f + block[(i % threads + k) % threads];
    }
    expect_equal(sums[i], sum, "a rotating buffer", i);
  }

  for (int i = 0; i < steps * items; ++i) values[i] = static_cast<float>(i % 7);
  check_tiles<0>(values, sums);
  check_tiles<1>(values, sums);

  for (int i = 0; i < 2 * items; ++i) out[i] = -1;
  unawaited<<<blocks, threads>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < items; ++i) {
    expect_equal(out[i], in[i], "at the end", i);
    expect_equal(out[items + i], i % 2 == 1 ? -1 : in[i], "behind the barrier", i);
  }
  return result();
}
