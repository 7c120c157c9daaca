// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Volatile accesses of gangs: to adjacent elements, to scattered ones, to one address, by some lanes, and of each size.
#include <cuda_runtime.h>
#include <cstdint>

#include "../check.hpp"

constexpr int threads = 256, blocks = 3, items = threads * blocks;

// A scan of an older style: shared memory is volatile, and barriers separate the steps.
__global__ void scan(const int* in, int* out) {
  __shared__ volatile int shared[2 * threads];
  const unsigned size = 64, thread = threadIdx.x;
  unsigned place = 2 * thread - (thread & (size - 1));
  shared[place] = 0;
  place += size;
  shared[place] = in[blockIdx.x * threads + thread];
  for (unsigned offset = 1; offset < size; offset *= 2) {
    __syncthreads();
    const int sum = shared[place] + shared[place - offset];
    __syncthreads();
    shared[place] = sum;
  }
  out[blockIdx.x * threads + thread] = shared[place];
}

template <class T>
__global__ void reverse(const volatile T* in, volatile T* out, volatile T* last, int stride) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread % 3 == 1) return;
  out[items - 1 - thread] = static_cast<T>(in[thread * stride] + in[0]);
  if (thread < 100) *last = static_cast<T>(thread);
}

template <class T>
void check_reverse(const char* name, int stride) {
  T *in, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, stride * items * sizeof(T)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, (items + 1) * sizeof(T)));
  for (int i = 0; i < stride * items; ++i) in[i] = static_cast<T>(7 * i + 1);
  for (int i = 0; i <= items; ++i) out[i] = static_cast<T>(120);
  reverse<<<blocks, threads>>>(in, out, out + items, stride);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < items; ++i) {
    const int thread = items - 1 - i;
    expect_equal(out[i], thread % 3 == 1 ? static_cast<T>(120) : static_cast<T>(in[thread * stride] + in[0]), name, i);
  }
  expect_equal(out[items] < 100, true, name, items);  // the value of any of these threads
}

int main() {
  int *in, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, items * sizeof *in));
  EXPECT_SUCCESS(cudaMallocManaged(&out, items * sizeof *out));
  for (int i = 0; i < items; ++i) in[i] = i * i % 1000;
  scan<<<blocks, threads>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0, sum = 0; i < items; ++i) {
    sum = i % 64 == 0 ? in[i] : sum + in[i];
    expect_equal(out[i], sum, "scan", i);
  }
  for (int stride : {1, 5}) {
    check_reverse<int8_t>("8 bits", stride);
    check_reverse<int16_t>("16 bits", stride);
    check_reverse<float>("float", stride);
    check_reverse<int64_t>("64 bits", stride);
  }
  return result();
}
