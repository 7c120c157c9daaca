// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shared__ objects whose classes have member initialisers, constructors and destructors: none of these runs, and the
// threads' own writes remain.
#include "../check.hpp"

struct with_defaults {
  int hits = 7;
  int misses = 8;
};

struct with_constructor {
  int value;
  __device__ with_constructor() { value = atomicAdd(&runs(), 1); }
  __device__ ~with_constructor() { atomicAdd(&runs(), 100); }
  static __device__ int& runs();
};
__device__ int constructor_runs;
__device__ int& with_constructor::runs() { return constructor_runs; }

struct of_host {
  int value;
  of_host() : value(9) {}
};

template <class T, int N>
struct array_of {
  T elements[N];
  __device__ array_of() { elements[0] = T(5); }
};

__shared__ with_defaults outside;

template <class T>
__global__ void use(int* out) {
  __shared__ with_defaults defaults, table[3][2];
  __shared__ with_constructor constructed;
  __shared__ of_host host;
  __shared__ array_of<T, 33> array;
  const int i = threadIdx.x;
  if (i == 0) {
    defaults = {1, 2};
    table[2][1].hits = 3;
    constructed.value = 4;
    host.value = 5;
    outside.misses = 6;
  }
  array.elements[i] = T(10 * i);
  __syncthreads();
  out[blockIdx.x * 33 + i] = defaults.hits + 10 * defaults.misses + 100 * table[2][1].hits + 1000 * constructed.value +
                             10000 * host.value + 100000 * outside.misses + int(array.elements[32 - i]);
}

int main() {
  constexpr int blocks = 5, threads = 33;
  int* out = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&out, blocks * threads * sizeof(int)));
  use<float><<<blocks, threads>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < blocks * threads; ++i) {
    expect_equal(out[i], 654321 + 10 * (32 - i % threads), "sum of shared objects", i);
  }
  int runs = -1;
  EXPECT_SUCCESS(cudaMemcpyFromSymbol(&runs, constructor_runs, sizeof runs));
  expect_equal(runs, 0, "constructors that ran");
  return result();
}
