// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions that are instantiated on use behave like functions: their addresses, conversions of arguments, a
// program's own overloads, and inline PTX that only templates contain.
#include "../check.hpp"

using binary = float (*)(float, float);

template <binary Function>
__device__ float apply(float x, float y) {
  return Function(x, y);
}

struct celsius {
  float degrees;
  __device__ operator float() const { return degrees; }
};

// The program's overloads: one for a type that the library lacks, and one for all types, which for `int` is no better.
struct pair {
  unsigned first, second;
};
__device__ pair __reduce_add_sync(unsigned mask, pair value) {
  return {__reduce_add_sync(mask, value.first), __reduce_add_sync(mask, value.second)};
}
template <class T>
__device__ T __reduce_max_sync(unsigned, T) {
  return T(-1);
}

__global__ void use(float* floats, int* ints) {
  binary add = __fadd_ru;
  int (*to_int)(float) = &__float2int_rd;
  unsigned (*sum)(unsigned, unsigned) = __reduce_add_sync;
  const pair both = __reduce_add_sync(~0u, pair{1, threadIdx.x});
  const int largest = __reduce_max_sync(~0u, static_cast<int>(threadIdx.x));
  const double own = __reduce_max_sync(~0u, 1.0);
  const unsigned total = sum(~0u, 2);
  if (threadIdx.x != 0) {
    return;
  }
  floats[0] = add(1, 0x1p-30f);
  floats[1] = apply<__fmul_rz>(3, 1.0f / 3);
  floats[2] = __fadd_rn(celsius{20.5f}, 1);
  floats[3] = static_cast<float>(own);
  ints[0] = to_int(-1.5f);
  ints[1] = __float2int_rn(celsius{2.5f});
  ints[2] = static_cast<int>(both.first * 1000 + both.second);
  ints[3] = largest;
  ints[4] = static_cast<int>(total);
}

template <class T>
__device__ T sum_of_warp(T value) {
  T result;
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}

__global__ void inline_ptx(int* ints) { ints[5] = sum_of_warp(static_cast<int>(threadIdx.x)); }

int main() {
  float* floats;
  int* ints;
  EXPECT_SUCCESS(cudaMallocManaged(&floats, 4 * sizeof *floats));
  EXPECT_SUCCESS(cudaMallocManaged(&ints, 6 * sizeof *ints));
  use<<<1, 32>>>(floats, ints);
  inline_ptx<<<1, 32>>>(ints);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(floats[0], 1.0f + 0x1p-23f, "a function pointer", 0);
  expect_equal(floats[1], 1.0f, "a template argument", 0);
  expect_equal(floats[2], 21.5f, "a converted argument", 0);
  expect_equal(floats[3], -1.0f, "an own template", 0);
  expect_equal(ints[0], -2, "a pointer to a conversion", 0);
  expect_equal(ints[1], 2, "a converted argument of a conversion", 0);
  expect_equal(ints[2], 32 * 1000 + 496, "an own overload", 0);
  expect_equal(ints[3], 31, "the library's function beside an own template", 0);
  expect_equal(ints[4], 64, "a pointer to a reduction", 0);
  expect_equal(ints[5], 496, "PTX in a template", 0);
  return result();
}
