// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls whose target is computed at run time (function pointers, virtual functions), and recursion.
#include "../check.hpp"

using operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int through_shared(int a, int b) {  // has shared memory, and is called only through a pointer
  __shared__ int slots[64];
  slots[threadIdx.x] = a + b;
  __syncthreads();
  const int got = slots[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  return got;
}
__device__ operation operations[] = {add, multiply, through_shared};

struct animal {
  __device__ virtual ~animal() {}
  __device__ virtual int legs() const = 0;
};
struct bird : animal {
  __device__ int legs() const override { return 2; }
};
struct spider final : animal {
  int lost;
  __device__ explicit spider(int l) : lost(l) {}
  __device__ int legs() const override { return 8 - lost; }
};

__device__ __noinline__ long long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__global__ void call(int* out, int which) {
  __shared__ int mine[64];
  const int t = threadIdx.x;
  mine[t] = 3 * t;
  const int got = operations[which](t, 10);
  __syncthreads();
  out[t] = got + mine[blockDim.x - 1 - t];
}

__global__ void pointer_argument(int* out, operation op) { out[threadIdx.x] = op(threadIdx.x, 4); }

__global__ void objects(int* out) {
  animal* zoo[3] = {new bird, new spider(1), new spider(threadIdx.x)};
  int legs = 0;
  for (animal* a : zoo) {
    legs += a->legs();
    delete a;
  }
  out[threadIdx.x] = legs;
}

__global__ void recursion(long long* out) { out[threadIdx.x] = fibonacci(threadIdx.x) * 10 + is_even(threadIdx.x); }

__device__ operation exported = multiply;

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 64 * sizeof(long long)));
  const int n = 40;
  for (int which = 0; which < 3; ++which) {
    call<<<1, n>>>(out, which);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int t = 0; t < n; ++t) {
      const int got = which == 0 ? t + 10 : which == 1 ? t * 10 : n - 1 - t + 10;
      expect_equal(out[t], got + 3 * (n - 1 - t), "table of functions", 100 * which + t);
    }
  }
  operation device_multiply = nullptr;
  EXPECT_SUCCESS(cudaMemcpyFromSymbol(&device_multiply, exported, sizeof device_multiply));
  pointer_argument<<<1, n>>>(out, device_multiply);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < n; ++t) expect_equal(out[t], 4 * t, "pointer from the device", t);
  objects<<<1, 5>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 5; ++t) expect_equal(out[t], 2 + 7 + 8 - t, "virtual functions", t);
  long long* large = reinterpret_cast<long long*>(out);
  recursion<<<1, 20>>>(large);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  long long a = 0, b = 1;
  for (int t = 0; t < 20; ++t) {
    expect_equal(large[t], a * 10 + (t % 2 == 0), "recursion", t);
    const long long next = a + b;
    a = b, b = next;
  }
  return result();
}
