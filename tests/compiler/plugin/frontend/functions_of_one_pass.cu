// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `#if __CUDA_ARCH__` gives a function, a constructor and an operator one body for each side. In the other side's pass,
// host code calls device functions and kernels call host functions, but that pass does not emit this code.
#include "../check.hpp"

#if defined(__CUDA_ARCH__)
template <class T>
static __device__ void count(T& value) {
  atomicAdd(&value, 1);
}
static __device__ int pick(int a) { return a + 100; }
struct box {
  __device__ box(int v) : value(v + 1) {}
  __device__ int get() const { return value; }
  __device__ box operator+(const box& other) const { return box(value + other.value); }
  int value;
};
#else
template <class T>
static void count(T& value) {
  value += 10;
}
static int pick(int a) { return a + 200; }
struct box {
  box(int v) : value(v + 2) {}
  int get() const { return value; }
  box operator+(const box& other) const { return box(value + other.value); }
  int value;
};
#endif

__device__ int apply(int x) { return pick(x); }

template <class T>
__device__ T apply_template(T x) {
  count(x);
  return x;
}

__global__ void kernel(int* out) {
  count(out[0]);
  if (threadIdx.x == 0) {
    const box b(5);
    out[1] = pick(1);
    out[2] = (b + b).get();
    out[3] = apply(2);
    out[4] = apply_template(3);
    out[5] = [](int x) { return pick(x); }(3);
  }
}

template <class T>
T host_template(T x) {
  count(x);
  return x;
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 6 * sizeof *out));
  out[0] = 5;
  kernel<<<1, 64>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 5 + 64, "device template");
  expect_equal(out[1], 101, "device function");
  expect_equal(out[2], 2 * (5 + 1) + 1, "device constructor and operator");
  expect_equal(out[3], 102, "device function in a device function");
  expect_equal(out[4], 4, "device template in a device template");
  expect_equal(out[5], 103, "device function in a lambda");
  int counted = 1;
  count(counted);
  const box b(7);
  expect_equal(counted, 11, "host template");
  expect_equal(pick(2), 202, "host function");
  expect_equal((b + b).get(), 2 * (7 + 2) + 2, "host constructor and operator");
  expect_equal([](int x) { return pick(x); }(3), 203, "host function in a lambda");
  expect_equal(host_template(8), 18, "host template in a host template");
  return result();
}
