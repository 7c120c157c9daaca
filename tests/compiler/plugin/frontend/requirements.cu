// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requirements and other substitutions that fail in __host__ __device__ functions, where an operator has host and
// device overloads: a failure is a value, not an error. Both sides find the same answers.
#include <type_traits>
#include <utility>

#include "../check.hpp"

template <class T>
struct box {
  T value;
  friend __host__ __device__ box operator-(const box& a, const box& b) { return {a.value - b.value}; }
  __host__ __device__ void wide(int)
    requires(sizeof(T) == 8)
  {}
};
struct plain {
  int x;
};

template <class T>
concept takes_float = requires(T& t) { t - 1.5f; };
template <class T>
concept is_wide = requires(T& t) { t.wide(3); };

template <class T>
__host__ __device__ auto detects(T& t, int) -> decltype(t - nullptr, true) {
  return true;
}
template <class T>
__host__ __device__ bool detects(T&, ...) {
  return false;
}

// A definition that a substitution instantiates: an error in its body would be an error.
template <class T>
__host__ __device__ auto difference(T a) {
  return a - a;
}

template <class T>
__host__ __device__ int answers() {
  T t{};
  int found = 0;
  if constexpr (takes_float<T>) found += 1;
  if constexpr (is_wide<T>) found += 2;
  if (detects(t, 0)) found += 4;
  if constexpr (requires { t - t; }) found += 8;
  if constexpr (requires { t - plain{}; }) found += 16;
  if constexpr (requires { difference(t); }) found += 32;
  return found;
}

__host__ __device__ int all_answers() {
  static_assert(!__is_assignable(plain&, int) && !std::is_assignable_v<box<int>&, plain>);
  static_assert(!takes_float<box<int>> && takes_float<int>);
  return answers<box<int>>() * 10000 + answers<box<double>>() * 100 + answers<float>();
}

__global__ void on_device(int* out) { *out = all_answers(); }

int main() {
  int* out = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&out, sizeof *out));
  on_device<<<1, 1>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  constexpr int wanted = (8 + 32) * 10000 + (2 + 8 + 32) * 100 + (1 + 8 + 32);
  expect_equal(*out, wanted, "on the device");
  expect_equal(all_answers(), wanted, "on the host");
  return result();
}
