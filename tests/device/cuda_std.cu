// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <cuda/std/...>: the parts of the standard library that kernels can use under CUDA's names.
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "check.hpp"

template <class Value, cuda::std::enable_if_t<cuda::std::is_integral_v<Value>, int> = 0>
__device__ int kind(Value) {
  return 1;
}
template <class Value, cuda::std::enable_if_t<cuda::std::is_floating_point<Value>::value, int> = 0>
__device__ int kind(Value) {
  return 2;
}

template <cuda::std::size_t... index>
__device__ int sum(const int* values, cuda::std::index_sequence<index...>) {
  return (values[index] + ...);
}

__global__ void use(int* out) {
  int a = 1, b = 2;
  cuda::std::swap(a, b);
  out[0] = 10 * a + b;
  out[1] = 10 * kind(3) + kind(3.0f);
  cuda::std::pair<int, float> both = cuda::std::make_pair(4, 0.5f);
  out[2] = both.first + static_cast<int>(2 * cuda::std::get<1>(both));
  const int values[3] = {1, 10, 100};
  out[3] = sum(values, cuda::std::make_index_sequence<3>());
  out[4] = cuda::std::exchange(a, 9) + a;
  out[5] =
      sizeof(cuda::std::uint16_t) + sizeof(cuda::std::byte) + sizeof(cuda::std::remove_cv_t<const cuda::std::int64_t>);
  int&& moved = cuda::std::move(b);
  out[6] = moved;
}

int main() {
  check::managed<int> out(7);
  use<<<1, 1>>>(out.data);
  check::synchronize();
  const int wanted[] = {21, 12, 5, 111, 11, 11, 1};
  for (int i = 0; i < 7; ++i) check::equal("cuda::std", out[i], wanted[i], i);
  return check::finish();
}
