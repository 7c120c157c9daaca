// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word that takes three values: the first warp releases to its own block, and the second warp passes on to another
// block what it has read. Marks as in races.cu; the instance with `in_order` is correct.
#include <cstdio>

__device__ int data, flag, own[66];

__global__ void clear() { data = flag = 0; }

__device__ void wait_for(int value) {
  while (atomicAdd(&flag, 0) != value) {
  }
}

// The second warp's fence has device scope, or only block scope, which does not reach the other block.
template <bool in_order>
__device__ void fence() {
  if (in_order) {
    __threadfence();
  } else {
    __threadfence_block();
  }
}

// race: a b 1
template <bool in_order>
__global__ void passed_on(int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data = 42;  // [a]
    __threadfence_block();
    atomicExch(&flag, 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    wait_for(1);
    fence<in_order>();
    atomicExch(&flag, 2);
  } else if (threadIdx.x == 0) {
    wait_for(2);
    __threadfence();
    out[0] = data;  // [b]
  }
}
// Atomics of block scope on the data: between blocks they race unless they are ordered.
__global__ void atomics_passed_on(int*) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    atomicExch_block(&data, 1);
    __threadfence_block();
    atomicExch(&flag, 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    wait_for(1);
    atomicExch(&data, 2);
    __threadfence();
    atomicExch(&flag, 2);
  } else if (threadIdx.x == 0) {
    wait_for(2);
    atomicExch_block(&data, 3);
  }
}
// race: a b 1
__global__ void atomics_passed_by(int*) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    atomicExch_block(&data, 1);  // [a]
    atomicExch(&flag, 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    wait_for(1);
    __threadfence();
    atomicExch(&flag, 2);
  } else if (threadIdx.x == 0) {
    wait_for(2);
    atomicExch_block(&data, 3);  // [b]
  }
}
// Fences and compare-and-exchanges without a release that a thread acquires: they order nothing. Each thread reads its
// neighbor's word twice. The last thread reads a word that was written before, the others one that is written later.
// race: a b 68
template <bool in_order>
__global__ void acquires_nothing(int* out) {
  __shared__ int words[33];
  const unsigned t = threadIdx.x, i = blockIdx.x * 33 + t;
  words[t] = 1;  // [a]
  atomicCAS(&own[i], 0, 1);
  for (int turn = 0; turn < 2; ++turn) {
    __threadfence();
    if (in_order) __syncthreads();
    out[i] = words[(t + 1) % 33];  // [b]
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 66 * sizeof(int));
  for (const auto kernel : {passed_on<true>, passed_on<false>, atomics_passed_on, atomics_passed_by,
                            acquires_nothing<true>, acquires_nothing<false>}) {
    clear<<<1, 1>>>();
    kernel<<<2, 33>>>(out);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
