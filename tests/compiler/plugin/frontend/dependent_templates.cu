// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates that are members of dependent types, without the keyword `template`: nvcc accepts them in device code.
// Similar text keeps its meaning: comparisons, shifts, explicit instantiations and specializations.
#include <tuple>

#include "../check.hpp"

// clang-format off
template <class T> struct box {
  T value = 0;
  static constexpr int limit = 4;
  template <int n> __host__ __device__ static void store(T* out, T v) { *out = n + v; }
  template <int n, int m> __host__ __device__ static T sum(T v) { return n + m + v; }
  template <int n> __host__ __device__ T add(T v) { return n + v + value; }
  template <class U> __host__ __device__ T size(T v) { return sizeof(U) + v; }
  template <int n> __host__ __device__ T operator()(T v) const { return 10 * n + v; }
  template <int n> static T twice(T v) { return 2 * n * v; }
};
template <> template <> int box<int>::twice<3>(int v) { return -v; }
template int box<int>::twice<5>(int);

template <class T> struct outer { using inner = box<T>; };

template <class T, class Box, int n, int m>
__global__ void all(T* out, T v) {
  box<T>::store<n>(out, v);
  Box::store<n + 1>(out + 1, v);
  out[2] = box<T>::sum<n, m>(v);
  box<T> x;
  box<T>* p = &x;
  out[3] = x.add<n>(v);
  out[4] = p->add<box<T>::limit>(v);
  out[5] = x.size<double>(v);
  outer<T>::inner::store<n * m>(out + 6, v);
  out[7] = x.operator()<n>(v);
  out[8] = p->operator() <m>(v) + x.template operator()<1>(0);
}

struct numbers { int x = 6, y = 2; };
int both(bool a, bool b) { return a * 2 + b; }

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 9 * sizeof *out));
  all<int, box<int>, 3, 20><<<1, 1>>>(out, 100);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const int wanted[] = {103, 104, 123, 103, 104, 108, 160, 130, 310};
  for (int i = 0; i < 9; ++i) {
    expect_equal(out[i], wanted[i], "in a kernel", i);
  }

  expect_equal(box<int>::twice<3>(7), -7, "an explicit specialization", 0);
  expect_equal(box<int>::twice<5>(7), 70, "an explicit instantiation", 0);
  expect_equal(std::get<1>(std::tuple(1, 2)), 2, "a function of a namespace", 0);
  numbers a, *b = &a;
  expect_equal(both(a.x < 7, b->y > (1)), 3, "two comparisons", 0);
  expect_equal(a.x < 7 && a.y > (2), false, "comparisons in an expression", 0);
  expect_equal(a.x << a.y >> (1), 12, "shifts", 0);
  return result();
}
