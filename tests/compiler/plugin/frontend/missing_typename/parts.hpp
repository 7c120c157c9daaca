// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates of a header. The launch with spaces is rewritten before `typename` is inserted into the same text.
#pragma once

// clang-format off
#define PART(x) T::part(x)
#define PART_OF(U, x) U::part(x)

struct numbers {
  using part = unsigned char;
  struct inner { using part = short; };
  using self = numbers;
  enum class color { red, blue };
  template <class U> struct box { U v; __host__ __device__ explicit box(U x = U()) : v(x) {} };
  template <class U> using same = U;
  static const int value = 300;
  static __host__ __device__ int call(int x) { return 1000 + x; }
};
template <class T> struct holder {
  using part = unsigned char;
  template <class U> using same = U;
};

template <class T> __global__ void header_kernel(int* out, int x) {
  out[0] = T::part(x); out[1] = PART(x + 1) + PART_OF(T, x + 2);
  out[2] = T::value + T::call(1);  // values, not types
}
template <class T> void launch_header(int* out, int x) { header_kernel<T> << <1, 1>> >(out, x); }

// A chain of functions with deduced types: the error in each hides the error in the function that it calls.
template <class T, int n> struct level {
  static __device__ auto down(int x) { return T::part(x) + level<T, n - 1>::down(x + 1); }
};
template <class T> struct level<T, 0> {
  static __device__ auto down(int x) { auto y = T::part(x); return int(y); }
};
