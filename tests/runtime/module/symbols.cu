// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device variables in symbol calls: __device__, __constant__, __managed__, arrays, structures, templates.
#include <cstdio>
#include <cstdlib>

#include "../expect.hpp"

struct settings {
  float scale;
  int shift;
};

__device__ int counter = 5;
__device__ int table[16];
__constant__ settings current = {2.0f, 1};
static __constant__ double weights[4];
__managed__ int shared_with_host = 7;
__managed__ int managed_array[8];
template <class T>
__device__ T value_of = T{3};

__global__ void use(float* out) {
  const int i = threadIdx.x;
  table[i] = i * i;
  out[i] = current.scale * i + current.shift + static_cast<float>(weights[i % 4]);
  if (i == 0) {
    atomicAdd(&counter, 10);
    shared_with_host += 1;
    value_of<int> += 4;
  }
  if (i < 8) managed_array[i] += i;
}

int main() {
  float* out = nullptr;
  CALL(cudaMalloc(&out, 16 * sizeof(float)));
  const double w[4] = {0.5, 0.25, 0.125, 0};
  CALL(cudaMemcpyToSymbol(weights, w, sizeof w));
  const settings changed = {3.0f, 100};
  CALL(cudaMemcpyToSymbol(current, &changed, sizeof changed));
  const int shift = 20;
  CALL(cudaMemcpyToSymbol(current, &shift, sizeof shift, offsetof(settings, shift)));
  shared_with_host = 30;
  for (int i = 0; i < 8; ++i) managed_array[i] = 1000;

  use<<<1, 16>>>(out);
  CALL(cudaDeviceSynchronize());
  float host[16];
  CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) EXPECT(host[i] == 3.0f * i + 20 + static_cast<float>(w[i % 4]));

  int got = 0;
  CALL(cudaMemcpyFromSymbol(&got, counter, sizeof got));
  EXPECT(got == 15);
  int squares[16];
  CALL(cudaMemcpyFromSymbol(squares, table, sizeof squares));
  for (int i = 0; i < 16; ++i) EXPECT(squares[i] == i * i);
  CALL(cudaMemcpyFromSymbol(&got, table, sizeof got, 9 * sizeof(int)));
  EXPECT(got == 81);
  CALL(cudaMemcpyFromSymbol(&got, value_of<int>, sizeof got));
  EXPECT(got == 7);
  EXPECT(shared_with_host == 31);
  for (int i = 0; i < 8; ++i) EXPECT(managed_array[i] == 1000 + i);

  void* address = nullptr;
  size_t bytes = 0;
  CALL(cudaGetSymbolAddress(&address, table));
  CALL(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == sizeof squares);
  CALL(cudaMemset(address, 0, bytes));
  CALL(cudaMemcpyFromSymbol(&got, table, sizeof got, 15 * sizeof(int)));
  EXPECT(got == 0);
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, address));
  EXPECT(attributes.type == cudaMemoryTypeDevice);
  CALL(cudaPointerGetAttributes(&attributes, &shared_with_host));
  EXPECT(attributes.type == cudaMemoryTypeManaged);

  EXPECT(cudaMemcpyToSymbol(counter, squares, sizeof squares) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpyToSymbol(failures, squares, 4) == cudaErrorInvalidSymbol);
  CALL(cudaFree(out));
  std::printf(failures ? "%d failures\n" : "passed\n", failures);
  return failures != 0;
}
