// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses in control flow in which the lanes of a warp part and meet again. test_control.py has a model of each
// kernel.
#include <cstdio>

__device__ int result[1];

__device__ int rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

// Inner loops that end at different times: the lanes meet in the next iteration of the outer one.
__global__ void nested(int* p, int rounds) {
  const int t = rank();
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k < (t + i) % 4; ++k) p[1024 * i + 256 * k + t] = k;
  }
}

// Lanes that skip an iteration join the later ones.
__global__ void skipping(int* p, int rounds) {
  const int t = rank();
  for (int i = 0; i < rounds; ++i) {
    if ((t + i) % 3 == 0) p[512 * i + 2 * t] = i;
  }
}

__device__ __attribute__((noinline)) void set(int* at, int value) { *at = value; }

// One function, called at two places and in a loop.
__global__ void called(int* p, int rounds) {
  const int t = rank();
  if (t % 2) set(p + t, 1);
  for (int i = 0; i < t % rounds; ++i) set(p + 1024 + 256 * i + t, 2);
  set(p + 512 + t, 3);
}

// Barriers between accesses, and a collective.
__global__ void waiting(int* p, int rounds) {
  extern __shared__ int tile[];
  const int t = rank();
  for (int i = 0; i < rounds; ++i) {
    tile[t] = i + t;
    __syncthreads();
    if (t % 2 == 0) p[256 * i + t] = tile[t];
    __syncthreads();
  }
  if (t < 32) {
    const int sum = __shfl_xor_sync(0xffffffffu, tile[t], 1);
    if (sum == 1 << 30) result[0] = sum;
  }
}

// Some threads return early.
__global__ void leaving(int* p, int rounds) {
  const int t = rank();
  for (int i = 0; i < rounds; ++i) {
    if (t % 5 == i) return;
    p[256 * i + t] = t;
  }
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 1 << 20);
  const dim3 shapes[] = {dim3(33), dim3(5, 3, 7), dim3(16, 13)};
  for (const dim3 block : shapes) {
    nested<<<3, block>>>(p, 5);
    skipping<<<3, block>>>(p, 7);
    called<<<3, block>>>(p, 4);
    waiting<<<3, block, 1024>>>(p, 3);
    leaving<<<3, block>>>(p, 4);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::puts(cudaGetErrorString(error));
  return error != cudaSuccess;
}
