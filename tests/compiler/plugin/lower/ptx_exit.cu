// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exit in a function that a kernel calls from a loop: the thread ends there, and barriers count the others.
#include "../check.hpp"

constexpr int threads = 64;

__device__ __noinline__ int double_or_end(int value) {
  if (value % 3 == 1) asm volatile("exit;");
  return value * 2;
}

__global__ void some_end(int* out, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    if (i == threadIdx.x % 5) out[threadIdx.x] = double_or_end(threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] += __syncthreads_count(1);
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * sizeof(int)));
  int left = 0;
  for (int i = 0; i < threads; ++i) {
    out[i] = -1;
    left += i % 3 != 1;
  }
  some_end<<<1, threads>>>(out, 5);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) expect_equal(out[i], i % 3 == 1 ? -1 : 2 * i + left, "thread", i);
  return result();
}
