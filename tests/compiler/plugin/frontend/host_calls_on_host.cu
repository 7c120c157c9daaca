// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `__host__ __device__` functions that other files could call, and that call host functions. Kernels call none of
// these. Functions that kernels do use exist on both sides, by whatever way they are reached.
#include <string>

#include "../check.hpp"

static int of_host(int x) { return x + 1; }

__host__ __device__ int unused_on_device(int x) { return of_host(x); }

struct name {
  int length;
  __host__ __device__ explicit name(int x);
  __host__ __device__ int get() const;
};
__host__ __device__ name::name(int x) : length(of_host(x)) {}
__host__ __device__ int name::get() const { return static_cast<int>(std::to_string(length).size()); }

template <class T>
__host__ __device__ T specialized(T x) {
  return x;
}
template <>
__host__ __device__ float specialized<float>(float x) {
  return static_cast<float>(of_host(static_cast<int>(x)));
}

template <class T>
struct vec {
  T value;
  __host__ __device__ T with_host() const { return static_cast<T>(of_host(static_cast<int>(value))); }
  __host__ __device__ T twice() const;
  __host__ __device__ static T thrice(T x) { return 3 * x; }
};
template <class T>
__host__ __device__ T vec<T>::twice() const {
  return 2 * value;
}
template struct vec<float>;
template <class T>
__host__ __device__ T with_host(T x) {
  return x + static_cast<T>(of_host(1));
}
template __host__ __device__ long with_host<long>(long);

// Uses by a caller before the definition, by a pointer, and by a table of virtual functions.
__host__ __device__ int late(int x);
__host__ __device__ int called_late(int x) { return late(x) + 1; }
__host__ __device__ int late(int x) { return 10 * x; }
__host__ __device__ int by_pointer(int x) { return 7 * x; }
__device__ int (*pointer)(int) = by_pointer;

struct shape {
  __host__ __device__ virtual int corners() const;
  __host__ __device__ virtual ~shape();
};
struct square : shape {
  __host__ __device__ int corners() const override;
};
__host__ __device__ int shape::corners() const { return 0; }
__host__ __device__ shape::~shape() {}
__host__ __device__ int square::corners() const { return 4; }

__global__ void kernel(int* out) {
  const square one;
  const shape* volatile any = &one;
  out[0] = called_late(2);
  out[1] = pointer(3);
  out[2] = any->corners();
  out[3] = specialized(5);
  out[4] = static_cast<int>(vec<float>{2.5f}.twice() + vec<float>::thrice(4));
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 5 * sizeof *out));
  kernel<<<1, 1>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 21, "function before its definition");
  expect_equal(out[1], 21, "function behind a pointer");
  expect_equal(out[2], 4, "virtual function");
  expect_equal(out[3], 5, "template");
  expect_equal(out[4], 17, "explicit instantiation");
  expect_equal(vec<float>{1}.with_host(), 2.0f, "member of an explicit instantiation");
  expect_equal(with_host(5L), 7L, "explicit instantiation of a function");
  expect_equal(unused_on_device(1), 2, "host function");
  expect_equal(name(99).get(), 3, "members");
  expect_equal(specialized(4.0f), 5.0f, "specialization");
  expect_equal(called_late(3), 31, "both sides");
  return result();
}
