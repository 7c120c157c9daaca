// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function whose declarations differ in __host__ and __device__ is one function for both sides, in any order of the
// declarations.
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

int gains_device(int x);
__device__ int gains_device(int x) { return x + 5; }

__device__ int gains_host(int x);
int gains_host(int x) { return x + 6; }

__device__ int* at(int* from, int shift) { return from + shift; }
int* at(int* from, int shift);

struct counter {
  int value;
  __device__ explicit counter(int of);
  __device__ ~counter();
  int operator()(int step) const;
  __device__ counter& add(int step);
  friend __device__ int value_of(const counter& from);
  template <class T>
  T scaled(T by) const;
};
counter::counter(int of) : value(of) {}
counter::~counter() { value = 0; }
__host__ __device__ int counter::operator()(int step) const { return value + step; }
counter& counter::add(int step) {
  value += step;
  return *this;
}
int value_of(const counter& from) { return from.value; }
template <class T>
__device__ T counter::scaled(T by) const {
  return by * value;
}

// An overload is not affected by the other overloads' sides.
int sided(int x) { return x; }
__device__ float sided(float x) { return x; }

__host__ __device__ int gained(int x) {
  int values[3] = {x, x + 1, x + 2};
  counter count(x);
  return gains_device(x) + gains_host(x) + *at(values, 2) + count(7) + value_of(count.add(8)) + count.scaled(2);
}

__host__ __device__ int total(int x) {
  return for_devices(x) + for_hosts(x) + plain(x) + repeated(x) + *(inner::box<int>(x) + 5).get(0) +
         inner::plain_box{x}.get() + twice(x);
}

__global__ void run(int* out) {
  out[threadIdx.x] = total(threadIdx.x);
  out[blockDim.x + threadIdx.x] = gained(threadIdx.x) + static_cast<int>(sided(1.5f));
}

int main() {
  constexpr int threads = 33;
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 2 * threads * sizeof *out));
  run<<<1, threads>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    expect_equal(out[i], 8 * i + 15, "device", i);
    expect_equal(total(i), 8 * i + 15, "host", i);
    // x + 5, x + 6, x + 2, x + 7, x + 8, 2 * (x + 8)
    expect_equal(out[threads + i], 7 * i + 45, "both sides on the device", i);
    expect_equal(gained(i) + sided(1), 7 * i + 45, "both sides on the host", i);
  }
  return result();
}
