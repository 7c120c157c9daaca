// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates of device code are instantiated only in the device pass, where they may call overloads that only this pass
// declares. All kinds of them still run, and no warning reports something as unused.
#include "../check.hpp"

static constexpr int one = 1;
static const int two = 2;
static __device__ int helper(int x) { return x + one; }
static __host__ __device__ int both(int x) { return x + two; }
static __constant__ int weight = 2;

#if defined(__CUDA_ARCH__)
__device__ int twice(unsigned long x) { return static_cast<int>(2 * x); }
#endif
__device__ int twice(int* x) { return *x; }

template <class T>
struct in_class {
  T value;
  __device__ int call() { return twice(value); }
  __device__ int outside(T x);
  __device__ static int constant(T x) { return both(static_cast<int>(x)) * weight + helper(2); }
  static __device__ constexpr int fixed() { return 5; }
};
template <class T>
__device__ int in_class<T>::outside(T x) {
  return constant(x);
}
template <>
__device__ int in_class<float>::outside(float x) {
  return static_cast<int>(x);
}

namespace outer {
namespace {
template <class T>
__device__ auto deduced(T x) {
  return in_class<T>{x}.outside(x) + in_class<T>::fixed();
}
}  // namespace
}  // namespace outer

template <class T>
__global__ void kernel(T x, int* out) {
  auto local = [=](auto v) { return in_class<T>{v}.call(); };
  out[0] = local(x);
  out[1] = outer::deduced(x);
  out[3] = twice(x) + 1;
}
template <class Function>
__global__ void call(Function function) {
  function(threadIdx.x);
}
template <class T>
void run(T x, int* out) {
  call<<<1, 1>>>([=] __device__(int i) { out[2 + i] = outer::deduced(x); });
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 4 * sizeof *out));
  kernel<<<1, 1>>>(21ul, out);
  run(7.0f, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 42, "an overload of the device pass");
  expect_equal(out[1], (21 + 2) * 2 + 3 + 5, "members");
  expect_equal(out[3], 43, "an overload that a kernel calls");
  expect_equal(out[2], 7 + 5, "a specialization, in a lambda");
  return result();
}
