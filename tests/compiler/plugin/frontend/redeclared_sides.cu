// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __host__ __device__ function that is declared again without one of the words, or without both, stays one for both
// sides.
#include "../check.hpp"

__host__ __device__ int for_devices(int x);
__device__ int for_devices(int x) { return x + 1; }

__host__ __device__ int for_hosts(int x);
__host__ int for_hosts(int x) { return x + 2; }

__host__ __device__ int plain(int x);
int plain(int x) { return x + 3; }

__host__ __device__ int repeated(int x) { return x + 4; }
__device__ int repeated(int x);

namespace inner {
template <class T>
struct box {
  T value;
  __host__ __device__ explicit box(T of);
  __host__ __device__ const T* get(int shift) const;
  __host__ __device__ box operator+(T other) const;
};
template <class T>
__device__ box<T>::box(T of) : value(of) {}
template <class T>
const T* box<T>::get(int) const {
  return &value;
}
template <class T>
__device__ box<T> box<T>::operator+(T other) const {
  return box(value + other);
}

struct plain_box {
  int value;
  __host__ __device__ int get() const;
};
}  // namespace inner
int inner::plain_box::get() const { return value; }

template <class T>
__host__ __device__ T twice(T x);
template <class T>
__device__ T twice(T x) {
  return 2 * x;
}

__host__ __device__ int total(int x) {
  return for_devices(x) + for_hosts(x) + plain(x) + repeated(x) + *(inner::box<int>(x) + 5).get(0) +
         inner::plain_box{x}.get() + twice(x);
}

__global__ void run(int* out) { out[threadIdx.x] = total(threadIdx.x); }

int main() {
  constexpr int threads = 33;
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * sizeof *out));
  run<<<1, threads>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    expect_equal(out[i], 8 * i + 15, "device", i);
    expect_equal(total(i), 8 * i + 15, "host", i);
  }
  return result();
}
