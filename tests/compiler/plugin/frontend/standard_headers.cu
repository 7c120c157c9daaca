// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With --extended-lambda nvcc includes <functional>, which includes <vector> and <unordered_map> since C++17.
#include "../check.hpp"

__global__ void twice(int* value) { *value *= 2; }

int main() {
  int* value;
  EXPECT_SUCCESS(cudaMallocManaged(&value, sizeof *value));
  const std::vector<int> numbers = {3, 4};
  std::unordered_map<int, int> squares = {{3, 9}, {4, 16}};
  std::function<int(int)> square = [&](int n) { return squares[n]; };
  *value = square(numbers[0]) + square(numbers[1]);
  twice<<<1, 1>>>(value);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(*value, 50, "sum", 0);
  return result();
}
