// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of common kinds, for the cost of --check. None of them has a race.
#pragma once

#include <cstdint>

namespace check_bench {

// A kernel that may wait is no loop over threads: both sides of a row run it on fibers. `never` is false.
#define COHORT_BENCH_ON_FIBERS(never) \
  if (never) __syncthreads()

__device__ inline int thread_rank() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void mandelbrot(int* out, int width, int turns, bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const float real = 3.0f * static_cast<float>(x) / static_cast<float>(width) - 2.0f;
  const float imaginary = 2.0f * static_cast<float>(y) / static_cast<float>(width) - 1.0f;
  float a = 0, b = 0;
  int turn = 0;
  while (turn < turns && a * a + b * b < 4) {
    const float next = a * a - b * b + real;
    b = 2 * a * b + imaginary;
    a = next;
    ++turn;
  }
  out[y * width + x] = turn;
}

__device__ inline float normal_distribution(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void black_scholes(float* call, float* put, const float* price, const float* strike, const float* years,
                              bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  constexpr float rate = 0.02f, volatility = 0.3f;
  const int i = thread_rank();
  const float deviation = volatility * sqrtf(years[i]);
  const float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
  const float d2 = d1 - deviation;
  const float discounted = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * normal_distribution(d1) - discounted * normal_distribution(d2);
  put[i] = discounted * normal_distribution(-d2) - price[i] * normal_distribution(-d1);
}

// Blocks of 32 x 32 threads.
__global__ void transpose(float* out, const float* in, int width) {
  __shared__ float tile[32][33];
  const int column = static_cast<int>(blockIdx.x * 32), row = static_cast<int>(blockIdx.y * 32);
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  tile[y][x] = in[(row + y) * width + column + x];
  __syncthreads();
  out[(column + y) * width + row + x] = tile[x][y];
}

__device__ inline void add_force(float3& sum, float4 from, float4 to) {
  const float x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
  const float scale = to.w * inverse * inverse * inverse;
  sum.x += x * scale;
  sum.y += y * scale;
  sum.z += z * scale;
}

// Blocks of 256 threads.
__global__ void bodies_in_tiles(float3* forces, const float4* bodies, int count) {
  __shared__ float4 tile[256];
  const int i = thread_rank();
  const float4 mine = bodies[i];
  float3 sum = {0, 0, 0};
  for (int first = 0; first < count; first += 256) {
    tile[threadIdx.x] = bodies[first + static_cast<int>(threadIdx.x)];
    __syncthreads();
    for (int k = 0; k < 256; ++k) add_force(sum, mine, tile[k]);
    __syncthreads();
  }
  forces[i] = sum;
}

// The compiler cannot exclude that forces and bodies overlap, so each turn of the loop accesses the sum in memory.
__global__ void bodies_in_memory(float3* forces, const float4* bodies, int count, bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  const int i = thread_rank();
  forces[i] = {0, 0, 0};
  for (int k = 0; k < count; ++k) add_force(forces[i], bodies[i], bodies[k]);
}

// Blocks of 256 threads.
__global__ void tree_sums(float* out, const float* in) {
  __shared__ float part[256];
  const int t = static_cast<int>(threadIdx.x);
  part[t] = in[thread_rank()];
  __syncthreads();
  for (int distance = 128; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void saxpy(float* y, const float* x, float a, bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  const int i = thread_rank();
  y[i] = a * x[i] + y[i];
}

// Blocks of 256 threads.
__global__ void histogram(unsigned* out, const unsigned char* in, int count) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = thread_rank(); i < count; i += step) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// Blocks of 256 threads, each of which sums `count` elements.
__global__ void shuffle_sums(float* out, const float* in, int count) {
  __shared__ float of_warps[8];
  const float* const mine = in + static_cast<int>(blockIdx.x) * count;
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += 256) sum += mine[i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < 8; ++i) sum += of_warps[i];
  out[blockIdx.x] = sum;
}

// Blocks of 512 threads.
__global__ void bitonic_sort(unsigned* values) {
  __shared__ unsigned part[512];
  const unsigned t = threadIdx.x;
  part[t] = values[thread_rank()];
  for (unsigned size = 2; size <= 512; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned other = t ^ distance;
      if (other <= t) continue;
      const unsigned mine = part[t], its = part[other];
      const bool ascends = (t & size) == 0;
      if ((mine > its) == ascends) {
        part[t] = its;
        part[other] = mine;
      }
    }
  }
  __syncthreads();
  values[thread_rank()] = part[t];
}

// Blocks of tile x tile threads.
template <int tile>
__global__ void matrix_product(float* c, const float* a, const float* b, int width) {
  __shared__ float part_of_a[tile][tile], part_of_b[tile][tile];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * tile + y, column = static_cast<int>(blockIdx.x) * tile + x;
  float sum = 0;
  for (int first = 0; first < width; first += tile) {
    part_of_a[y][x] = a[row * width + first + x];
    part_of_b[y][x] = b[(first + y) * width + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += part_of_a[y][k] * part_of_b[k][x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

__global__ void stencil(float* out, const float* in, int width, bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x == 0 || y == 0 || x == width - 1 || y == width - 1) return;
  const int i = y * width + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - width] + in[i - 1] + in[i + 1] + in[i + width]);
}

// Rows in compressed form: `first` has the number of each row's first element.
__global__ void sparse_product(float* out, const int* first, const int* columns, const float* values, const float* x,
                               bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  const int row = thread_rank();
  float sum = 0;
  for (int k = first[row]; k < first[row + 1]; ++k) sum += values[k] * x[columns[k]];
  out[row] = sum;
}

}  // namespace check_bench
