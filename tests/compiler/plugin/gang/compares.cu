// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of a thread's index, and of numbers that rise or fall with it, with a bound that all threads share.
// Bounds lie before, between and after the values of the threads, and at the ends of the type.
#include <cuda_runtime.h>

#include <limits>
#include <vector>

#include "../check.hpp"

constexpr int predicates = 6, largest = 1000;

template <class T>
__host__ __device__ inline unsigned compared(T a, T b) {
  return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
}

// Each number in comparisons whose results are used as a mask, and in branches that only some threads take.
template <class T>
__host__ __device__ inline unsigned long long all_compared(T t, T bound, T low) {
  unsigned long long bits = compared<T>(t, bound);
  bits = bits << predicates | compared<T>(bound, T(254) - t);
  bits = bits << predicates | compared<T>(T(t * 3 + 5), bound);
  bits = bits << predicates | compared<T>(T(7) - T(2) * t, bound);
  if (t >= low && T(largest) - t > bound) bits = bits * 31 + 1;
  if (t > low && bound >= T(30) - t) bits = bits * 31 + 2;
  return bits;
}

template <class T>
__global__ void compares(const T* bounds, int count, T low, unsigned long long* out) {
  const int t = static_cast<int>(threadIdx.x);
  for (int i = 0; i < count; ++i) out[i * blockDim.x + t] = all_compared<T>(T(t), bounds[i], low);
}

template <class T>
void test(const char* what) {
  using limits = std::numeric_limits<T>;
  const std::vector<T> bounds{0,
                              1,
                              2,
                              5,
                              7,
                              31,
                              32,
                              33,
                              100,
                              127,
                              128,
                              222,
                              254,
                              255,
                              T(-1),
                              T(-2),
                              T(-32),
                              T(-128),
                              limits::max(),
                              limits::min(),
                              T(limits::max() - 31),
                              T(limits::min() + 31),
                              1000,
                              1023,
                              1024,
                              3000};
  const int count = static_cast<int>(bounds.size());
  T* device_bounds = copy_of(bounds);
  for (const int threads : {33, 64, 96, 512}) {
    for (const int low : {0, 17, 70}) {
      std::vector<unsigned long long> got(static_cast<size_t>(count) * threads);
      unsigned long long* out = copy_of(got);
      compares<T><<<1, threads>>>(device_bounds, count, T(low), out);
      EXPECT_SUCCESS(cudaMemcpy(got.data(), out, got.size() * sizeof got[0], cudaMemcpyDeviceToHost));
      for (int i = 0; i < count; ++i) {
        for (int t = 0; t < threads; ++t) {
          expect_equal(got[i * threads + t], all_compared<T>(T(t), bounds[i], T(low)), what, i * 1000 + t);
        }
      }
      EXPECT_SUCCESS(cudaFree(out));
    }
  }
  EXPECT_SUCCESS(cudaFree(device_bounds));
}

int main() {
  test<int>("int");
  test<unsigned>("unsigned");
  test<long long>("wide");
  test<unsigned long long>("wide unsigned");
  return result();
}
