// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.hpp"

__device__ int total = 3;
__constant__ int factors[4] = {1, 10, 100, 1000};
__managed__ int steps = 40;

__device__ int square::area() const { return side * side; }

__device__ int scaled_sum(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] * factors[i];
  return sum;
}

__device__ int block_sum(int value) {
  __shared__ int parts[64];
  parts[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += parts[i];
  __syncthreads();
  return sum;
}

extern "C" __device__ int twice(int x) { return 2 * x; }

static __device__ int own(int x) { return x + 1; }
static __device__ int own_variable = 6;

__global__ void kernel_of_parts(int* out) {
  __shared__ int closed[32];
  closed[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = closed[31 - threadIdx.x] + own(own_variable) + from_header(threadIdx.x);
}
