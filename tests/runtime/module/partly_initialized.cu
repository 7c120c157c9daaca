// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device variables of which some elements have initializers, used by kernels and by host code. clang gives such a
// variable another type than an uninitialised one.
#include <cstdio>
#include <type_traits>

#include "../expect.hpp"

__device__ int array[301] = {1, 2, 3};
__constant__ short constants[9] = {4, 5};
extern __device__ int later[40];
static __device__ int of_file[33] = {7};
namespace {
__device__ int of_namespace[33] = {8};
}
template <class T>
__device__ T of_template[5] = {9};
struct box {
  static __device__ int member[6];
};
__device__ int box::member[6] = {10};
__device__ int later[40] = {11};
inline __device__ int of_header[4] = {12};

__global__ void sum(int* out) {
  *out = array[2] + constants[1] + of_file[0] + of_namespace[0] + of_template<int>[0] + box::member[0] + later[0] +
         of_header[0];
}

template <class T>
static bool begins_with(const T& variable, int expected) {
  std::decay_t<decltype(variable[0])> first{};
  CALL(cudaMemcpyFromSymbol(&first, variable, sizeof first));
  return first == expected;
}

int main() {
  int* out = nullptr;
  CALL(cudaMallocManaged(&out, sizeof *out));
  sum<<<1, 1>>>(out);
  CALL(cudaDeviceSynchronize());
  EXPECT(*out == 3 + 5 + 7 + 8 + 9 + 10 + 11 + 12);
  EXPECT(begins_with(array, 1));
  EXPECT(begins_with(constants, 4));
  EXPECT(begins_with(of_file, 7));
  EXPECT(begins_with(of_namespace, 8));
  EXPECT(begins_with(of_template<int>, 9));
  EXPECT(begins_with(box::member, 10));
  EXPECT(begins_with(later, 11));
  EXPECT(begins_with(of_header, 12));
  std::printf(failures ? "%d failures\n" : "passed\n", failures);
  return failures != 0;
}
