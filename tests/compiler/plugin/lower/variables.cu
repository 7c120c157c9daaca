// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __constant__, __device__ and __managed__ variables, from both sides.
#include "../check.hpp"

struct pair {
  int a;
  float b;
};

__constant__ int table[4] = {1, 2, 3, 4};
__constant__ pair settings;
__device__ int counter = 5;
static __device__ int hidden[3];
namespace deep {
__device__ double value;
}
template <class T>
__device__ T per_type = T(3);
__managed__ int both = 7;
static __managed__ pair managed_pair = {1, 2.5f};
__managed__ int grown[8];
__device__ const int fixed[2] = {11, 12};
__device__ int* pointer_to_counter = &counter;

__global__ void use(int* out) {
  out[0] = table[0] + table[3];
  out[1] = settings.a + static_cast<int>(settings.b * 4);
  out[2] = atomicAdd(&counter, 1);
  out[3] = hidden[1];
  out[4] = static_cast<int>(deep::value * 2);
  out[5] = per_type<int> + static_cast<int>(per_type<double>);
  out[6] = both;
  out[7] = managed_pair.a + static_cast<int>(managed_pair.b * 2);
  out[8] = fixed[1];
  out[9] = *pointer_to_counter;
  both = 100;
  managed_pair.a = 101;
  grown[out[6] % 8] = 55;
  hidden[2] = 66;
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 10 * sizeof(int)));
  const int new_table[4] = {10, 20, 30, 40};
  EXPECT_SUCCESS(cudaMemcpyToSymbol(table, new_table, sizeof new_table));
  const pair p = {6, 1.25f};
  EXPECT_SUCCESS(cudaMemcpyToSymbol(settings, &p, sizeof p));
  const int one = 99;
  EXPECT_SUCCESS(cudaMemcpyToSymbol(hidden, &one, sizeof one, sizeof(int)));
  void* address = nullptr;
  EXPECT_SUCCESS(cudaGetSymbolAddress(&address, deep::value));
  const double half = 4.5;
  EXPECT_SUCCESS(cudaMemcpy(address, &half, sizeof half, cudaMemcpyHostToDevice));
  size_t size = 0;
  EXPECT_SUCCESS(cudaGetSymbolSize(&size, table));
  expect_equal(size, sizeof new_table, "size of a symbol");

  expect_equal(both, 7, "initial value of a managed variable");
  expect_equal(managed_pair.a, 1, "initial value of a static managed variable");
  both = 30;
  use<<<1, 1>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const int wanted[] = {50, 11, 5, 99, 9, 6, 30, 6, 12, 6};
  for (int i = 0; i < 10; ++i) expect_equal(out[i], wanted[i], "seen in the kernel", i);
  expect_equal(both, 100, "managed, back on the host");
  expect_equal(managed_pair.a, 101, "static managed, back on the host");
  expect_equal(grown[30 % 8], 55, "managed array");
  int back = 0;
  EXPECT_SUCCESS(cudaMemcpyFromSymbol(&back, counter, sizeof back));
  expect_equal(back, 6, "cudaMemcpyFromSymbol");
  EXPECT_SUCCESS(cudaMemcpyFromSymbol(&back, hidden, sizeof back, 2 * sizeof(int)));
  expect_equal(back, 66, "static variable");
  return result();
}
