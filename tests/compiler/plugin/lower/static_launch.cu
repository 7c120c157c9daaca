// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors of static objects launch kernels of their own file, before and after the kernel's definition.
#include "../check.hpp"

constexpr int threads = 37;

__device__ int total = 5;

__global__ void add(int* values);

struct launcher {
  int* values = nullptr;
  int total_seen = 0;

  explicit launcher(int start) {
    EXPECT_SUCCESS(cudaMallocManaged(&values, threads * sizeof(int)));
    for (int i = 0; i < threads; ++i) values[i] = start + i;
    add<<<1, threads>>>(values);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_SUCCESS(cudaMemcpyFromSymbol(&total_seen, total, sizeof(int)));
  }
};

static launcher first(100);

__global__ void add(int* values) {
  values[threadIdx.x] += 1000;
  __syncthreads();
  if (threadIdx.x == 0) total += values[threads - 1];
}

static launcher second(200);

int main() {
  for (int i = 0; i < threads; ++i) {
    expect_equal(first.values[i], 1100 + i, "first", i);
    expect_equal(second.values[i], 1200 + i, "second", i);
  }
  expect_equal(first.total_seen, 5 + 1136, "total after the first");
  expect_equal(second.total_seen, 5 + 1136 + 1236, "total after the second");
  return result();
}
