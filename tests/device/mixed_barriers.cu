// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a block wait in two different barrier functions, which is an error: the report names both places. Without
// an argument, all threads call one function after the other.
#include <cstdio>
#include <cstring>

enum class mix { none, plain, all, any };

__global__ void wait(int* counts, mix mixed) {
  int count = 0;
  if (mixed == mix::plain && threadIdx.x < 40) {
    __syncthreads();
  } else if (mixed == mix::all && threadIdx.x < 40) {
    count = __syncthreads_and(1);
  } else if (mixed == mix::any && threadIdx.x < 40) {
    count = __syncthreads_or(threadIdx.x == 1);
  } else {
    count = __syncthreads_count(threadIdx.x % 3 == 0);
  }
  count += 100 * __syncthreads_and(threadIdx.x < 100) + 200 * __syncthreads_and(threadIdx.x != 77);
  count += 400 * __syncthreads_or(threadIdx.x == 99) + 500 * __syncthreads_or(threadIdx.x == 100);
  __syncthreads();
  counts[threadIdx.x] = count + 1000 * __syncthreads_count(threadIdx.x < 7);
}

static mix named(const char* name) {
  if (strcmp(name, "plain") == 0) return mix::plain;
  return strcmp(name, "all") == 0 ? mix::all : mix::any;
}

int main(int argc, char** arguments) {
  int* counts = nullptr;
  cudaMallocManaged(&counts, 100 * sizeof(int));
  wait<<<1, 100>>>(counts, argc > 1 ? named(arguments[1]) : mix::none);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    printf("the error is %s\n", cudaGetErrorName(error));
    return 2;
  }
  for (int i = 0; i < 100; ++i) {
    if (counts[i] != 7534) return 1;
  }
  return 0;
}
