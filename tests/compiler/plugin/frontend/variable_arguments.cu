// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions with a variable number of arguments: in registers and on the stack, of all kinds, passed on, copied,
// with barriers inside, and through a pointer.
#include <cstdarg>
#include <vector>

#include "../check.hpp"

struct mixed {
  int a;
  double b;
  long c;
};

template <class A, class B>
struct couple {
  A first;
  B second;
};

__device__ int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; ++i) total += (i + 1) * va_arg(list, int);
  va_end(list);
  return total;
}

__device__ double sum_list(int count, va_list list) {
  double total = 0;
  for (int i = 0; i < count; ++i) total += va_arg(list, double);
  return total;
}

__device__ __noinline__ double sum_twice(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  const double total = sum_list(count, list) + sum_list(count, copy);
  va_end(copy);
  va_end(list);
  return total;
}

template <class T>
__host__ __device__ T last_of(int count, ...) {
  va_list list;
  va_start(list, count);
  T last = T();
  for (int i = 0; i < count; ++i) last = va_arg(list, T);
  va_end(list);
  return last;
}

__device__ long structures(int count, ...) {
  va_list list;
  va_start(list, count);
  long total = 0;
  for (int i = 0; i < count; ++i) {
    const mixed each = va_arg(list, mixed);
    total += each.a + static_cast<long>(each.b) + each.c;
  }
  const auto two = __builtin_va_arg(list, couple<int, int>);
  total += two.first - two.second + *va_arg(list, int*) + int(threadIdx.x + 10 * threadIdx.y);
  va_end(list);
  return total;
}

__device__ int count_above(int limit, ...) {
  va_list list;
  va_start(list, limit);
  const int count = __syncthreads_count(va_arg(list, int) > limit);
  va_end(list);
  return count;
}

using function = int (*)(int, ...);
__device__ function pointer = sum;

struct results {
  int few, many, above, by_pointer;
  double twice;
  long long structures;
  unsigned long long last;
};

__global__ void run(results* out) {
  const int i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  results& r = out[i];
  int local = i;
  r.few = sum(3, 5, 6, i);
  r.many = sum(9, 1, 2, 3, 4, 5, 6, 7, 8, i);
  r.twice = sum_twice(10, 1.5, double(i), 0.25, 1., 2., 3., 4., 5., 6., 7.5);
  r.structures = structures(2, mixed{1, 2, 3}, mixed{i, 4, 5}, couple<int, int>{i, 7}, &local);
  r.above = count_above(20, i);
  r.by_pointer = pointer(2, i, 4);
  r.last = last_of<unsigned long long>(3, 1ull, 2ull, ~0ull - i);
}

int main() {
  constexpr int width = 7, threads = width * 5;
  results* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * sizeof *out));
  run<<<1, dim3(width, 5)>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    expect_equal(out[i].few, 5 + 12 + 3 * i, "three numbers", i);
    expect_equal(out[i].many, 204 + 9 * i, "nine numbers", i);
    expect_equal(out[i].twice, 2 * (30.25 + i), "ten numbers, twice", i);
    expect_equal(out[i].structures, 6 + i + 9 + i - 7 + i + i % width + 10 * (i / width), "structures", i);
    expect_equal(out[i].above, threads - 21, "barrier", i);
    expect_equal(out[i].by_pointer, i + 8, "function by pointer", i);
    expect_equal(out[i].last, ~0ull - i, "template", i);
  }
  expect_equal(last_of<double>(2, 1.0, 2.5), 2.5, "on the host");
  return result();
}
