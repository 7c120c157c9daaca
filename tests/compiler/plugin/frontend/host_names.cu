// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of host functions and variables in device code that is never generated, and forms of a launch.
#include "../check.hpp"

static int of_host(int x) { return x + 1; }
static int variable_of_host = 3;

// No kernel calls these functions, so they may name host functions.
static inline __device__ int unused(int x) { return of_host(x) + variable_of_host; }
static inline __device__ int unused_caller(int x) { return unused(x); }

struct counter {
  int value;
  __device__ int used() const { return 2 * value; }
  __device__ int not_used() const { return of_host(value); }
};

template <bool ON_HOST>
__host__ __device__ int either(int x) {
  if constexpr (ON_HOST) {
    return of_host(x);
  } else {
    return 5 * x;
  }
}

// Host code keeps its own overload.
int chosen(double x) { return static_cast<int>(x) + 100; }
__device__ int chosen(int x) { return x + 200; }

__global__ void names(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  decltype(of_host(1)) sum = counter{t}.used();
  if constexpr (sizeof(of_host(1)) != sizeof(int)) {
    sum += of_host(t);
  }
  out[t] = sum + static_cast<int>(sizeof(of_host(2))) + either<false>(t) + chosen(t) + noexcept(of_host(3));
}

__global__ void shape(int* out) {
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    atomicAdd(&out[0], 1);
  }
  atomicAdd(&out[1], 1);
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 33 * sizeof *out));
  names<<<1, 33>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 33; ++t) {
    expect_equal(out[t], 2 * t + 4 + 5 * t + t + 200, "names", t);
  }
  expect_equal(chosen(2.5) + either<true>(2), 102 + 3, "host");

  out[0] = out[1] = 0;
  shape<<<7>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 7, "blocks of one thread");
  expect_equal(out[1], 7, "threads of one block each");
  out[0] = out[1] = 0;
  shape<<<{3, 2}, {5, 4}>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 6, "blocks in braces");
  expect_equal(out[1], 120, "threads in braces");
  return result();
}
