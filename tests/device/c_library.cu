// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf, malloc, new, memcpy and the standard headers in kernels. The test device.printf runs `c_library printf` and
// checks the output.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include "check.hpp"

__global__ void print(int number) {
  if (threadIdx.x != 3) return;
  const int arguments =
      printf("thread %u of block %d: %5.2f %s %c%% %lld %#x\n", threadIdx.x, number, 2.5, "text", 'c', 1ll << 40, 255);
  std::printf("%d arguments\n", arguments);
  printf("no arguments\n");
}

struct node {
  int value;
  node* next;
  __device__ explicit node(int v, node* n) : value(v), next(n) {}
  __device__ ~node() { value = -1; }
};

// Each thread builds and frees a list on the device heap.
__global__ void heap(int* sums) {
  const int i = static_cast<int>(threadIdx.x);
  node* list = nullptr;
  for (int k = 0; k <= i; ++k) list = new node(k, list);
  int sum = 0;
  while (list != nullptr) {
    sum += list->value;
    node* next = list->next;
    delete list;
    list = next;
  }
  int* copy = static_cast<int*>(malloc(sizeof(int) * 10));
  std::memset(copy, 0, sizeof(int) * 10);
  for (int k = 0; k < 10; ++k) copy[k] += k;
  int* array = new int[10];
  memcpy(array, copy, sizeof(int) * 10);
  memmove(array + 1, array, sizeof(int) * 9);
  for (int k = 0; k < 10; ++k) sum += 1000 * array[k];
  delete[] array;
  std::free(copy);
  sums[i] = sum;
}

template <class T>
__host__ __device__ T both_sides(T x) {
  return std::max(sqrt(x), T(2)) + std::min(std::fabs(x), T(3)) + std::numeric_limits<T>::epsilon();
}

__global__ void standard(double* results) {
  const auto triple = std::make_tuple(1, 2.5, 3.0f);
  const std::pair<int, double> pair(4, 5.5);
  const std::array<int, 3> array{{6, 7, 8}};
  const std::complex<double> number(3.0, 4.0);
  int i = 0;
  results[i++] = std::get<0>(triple) + std::get<1>(triple) + std::get<2>(triple);
  results[i++] = pair.first + pair.second + std::move(array[1]);
  results[i++] = std::norm(number);
  results[i++] = both_sides(10.0) + both_sides(10.0f);
  results[i++] = std::numeric_limits<int>::max();
  results[i++] = std::is_same<std::common_type<int, double>::type, double>::value;
  results[i++] = std::pow(2.0f, 3) + std::pow(2, 10) + pow(2.0, 0.5) + std::sqrt(9) + std::hypot(3.0f, 4.0f);
  results[i++] = std::abs(-5) + std::abs(-5L) + std::abs(-2.5f) + std::abs(-2.5);
  assert(results[0] > 0);
}

__global__ void broken(int* numbers) { assert(numbers[threadIdx.x] < 30 && "numbers are small"); }

static int run_assert() {
  check::managed<int> numbers(32);
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  broken<<<1, 32>>>(numbers.data);
  const cudaError_t error = cudaDeviceSynchronize();
  std::fprintf(stderr, "error %s\n", cudaGetErrorName(error));
  return error == cudaErrorAssert ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "assert") == 0) return run_assert();
  if (argc > 1) {
    print<<<1, 32>>>(7);
    check::synchronize();
    return 0;
  }
  check::managed<int> sums(100);
  heap<<<1, 100>>>(sums.data);
  check::synchronize();
  for (int i = 0; i < 100; ++i) check::equal("heap", sums[i], i * (i + 1) / 2 + 1000 * 36, i);

  check::managed<double> results(8);
  standard<<<1, 1>>>(results.data);
  check::synchronize();
  check::equal("tuple", results[0], 6.5);
  check::equal("pair, array", results[1], 16.5);
  check::equal("complex", results[2], 25.0);
  check::equal("host and device", results[3], both_sides(10.0) + both_sides(10.0f));
  check::equal("limits", results[4], 2147483647.0);
  check::equal("traits", results[5], 1.0);
  check::equal("std::pow", results[6], 8 + 1024 + std::sqrt(2.0) + 3 + 5);
  check::equal("std::abs", results[7], 15.0);
  return check::finish();
}
