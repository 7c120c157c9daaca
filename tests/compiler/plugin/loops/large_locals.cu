// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local arrays larger than a thread's usual stack of 256 KiB, up to CUDA's 512 KiB: the launch makes larger stacks.
#include "../check.hpp"

constexpr int threads = 35;

// The sum of `count` of the `n` values at random positions, which the compiler cannot compute without the array.
template <int n>
__host__ __device__ unsigned picked(const unsigned* values, unsigned seed, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    sum = sum * 3 + values[seed % n];
  }
  return sum;
}

template <int n>
__host__ __device__ void fill(unsigned* values, unsigned start) {
  for (int i = 0; i < n; ++i) values[i] = start + 7u * i;
}

template <int n>
__device__ __noinline__ unsigned in_callee(unsigned start) {
  unsigned values[n];
  fill<n>(values, start);
  return picked<n>(values, start, 99);
}

template <int n, bool waits>
__global__ void in_kernel(unsigned* out) {
  unsigned values[n];
  fill<n>(values, threadIdx.x);
  if (waits) __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = picked<n>(values, blockIdx.x, 99);
}

template <int n>
__global__ void in_both(unsigned* out) {
  unsigned values[n];
  fill<n>(values, threadIdx.x);
  const unsigned below = in_callee<n>(threadIdx.x + 1);
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = picked<n>(values, blockIdx.x, 99) + below;
}

template <int n>
void check(unsigned* out, bool with_callee, const char* what) {
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  static unsigned values[n];
  for (unsigned block = 0; block < 3; ++block) {
    for (unsigned thread = 0; thread < threads; ++thread) {
      fill<n>(values, thread);
      unsigned wanted = picked<n>(values, block, 99);
      if (with_callee) {
        fill<n>(values, thread + 1);
        wanted += picked<n>(values, thread + 1, 99);
      }
      expect_equal(out[block * threads + thread], wanted, what, block * threads + thread);
      out[block * threads + thread] = 0;
    }
  }
}

__global__ void small(unsigned* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  constexpr int words = 512 * 1024 / 4, half = words / 2;
  unsigned* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 3 * threads * sizeof(unsigned)));
  in_kernel<words, false><<<3, threads>>>(out);
  check<words>(out, false, "loop");
  small<<<1, threads>>>(out);
  in_kernel<words, true><<<3, threads>>>(out);
  check<words>(out, false, "barrier");
  in_both<half><<<3, threads>>>(out);
  check<half>(out, true, "callee");
  void* arguments[] = {&out};
  EXPECT_SUCCESS(cudaLaunchCooperativeKernel(in_kernel<words, true>, dim3(3), dim3(threads), arguments, 0, nullptr));
  check<words>(out, false, "cooperative");
  int blocks = 0;
  EXPECT_SUCCESS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, in_kernel<words, true>, threads, 0));
  expect_equal(blocks > 0, true, "occupancy");
  return result();
}
