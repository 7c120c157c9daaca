// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dependent types without `typename`, which nvcc accepts as types in device code: T::part(x), (T::part)(x),
// sizeof(T::part). Similar text that names a value or a function keeps its meaning.
#include "../../check.hpp"
#include "parts.hpp"

// clang-format off
__host__ __device__ inline int plus_one(int x) { return x + 1; }

template <class T> __device__ int returned(int x) { return T::part(x); }
template <class T> __device__ int with_default(int x, int y = T::part(258)) { return x + y; }
template <class T> __host__ __device__ int on_both_sides(int x) { return T::inner::part(x); }
template <class T> struct member {
  int v = T::part(259), w;
  static constexpr int constant = T::part(260);
  __device__ explicit member(int x) : w(T::part(x)) {}
  __device__ int sum() const { return v + w + constant; }
};

template <class T> __global__ void forms(int* out, int x) {  // x is 600
  auto plain = T::part(x);                               out[0] = plain;
  out[1] = plus_one(T::part(x));
  out[2] = returned<T>(x);
  out[3] = T::part() + 1;
  out[4] = (T::part)(x);
  out[5] = -(T::part)(x) + 2 * T::part(x + 1);
  out[6] = sizeof(T::part) + alignof(T::inner::part);
  out[7] = sizeof(T::inner::part[3]);
  out[8] = T::inner::part(65536 + x) + T::self::inner::part(x);
  out[9] = holder<T>::part(x) + ::holder<T>::part(x + 1);
  out[10] = x > 5 ? T::part(x) : T::part(1);
  out[11] = int(T::color(1));
  auto boxed = T::template box<unsigned char>(x);         out[12] = boxed.v;
  out[13] = T::template same<unsigned char>(x);
  out[14] = holder<T>::template same<short>(65536 + x);
  auto lambda = [](int y) { return T::part(y); };         out[15] = lambda(x);
  if (T::part(256)) { out[16] = 1; } else { out[16] = 2; }
  out[17] = 0; for (auto i = T::part(256); i < T::part(259); ++i) { out[17] += i + 1; }
  decltype(T::part(3)) declared = x;                      out[18] = declared;
  int array[T::part(258)] = {};                           out[19] = sizeof array / sizeof *array;
  out[T :: part (256 + 20)] = 7;
  constexpr auto constant = T::part(261);                 out[21] = constant;
  out[22] = with_default<T>(1);
  out[23] = on_both_sides<T>(65536 + 9);
  out[24] = member<T>(x).sum();
  out[25] = level<T, 4>::down(254);
  out[26] = ((void)T::part(3), 4) + T::call(2) + T::value;
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 27 * sizeof *out));
  forms<numbers><<<1, 1>>>(out, 600);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const int byte = 600 % 256;
  const int wanted[] = {byte, byte + 1, byte, 1, byte, -byte + 2 * (byte + 1), 3, 6, 1200, 2 * byte + 1, byte, 1, byte,
                        byte, 600, byte, 2, 1 + 2 + 3, byte, 2, 7, 5, 3, 9, 3 + byte + 4, 254 + 255 + 0 + 1 + 2,
                        4 + 1002 + 300};
  for (int i = 0; i < 27; ++i) {
    expect_equal(out[i], wanted[i], "in a kernel", i);
  }

  launch_header<numbers>(out, 513);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 1, "in a header", 0);
  expect_equal(out[1], 2 + 3, "in a macro", 1);
  expect_equal(out[2], 1301, "a value and a function", 2);
  return result();
}
