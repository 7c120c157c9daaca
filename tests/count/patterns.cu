// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of patterns.inc: a kernel for each, 4 blocks of 128 threads.
#include <cstdio>

struct three {
  float x, y, z;
};
struct three_wide {
  double x, y, z;
};
struct pair {
  alignas(8) int x;
  int y;
};

__device__ int result[1];
extern __shared__ double tile[];

__device__ double sum_of(double v) { return v; }
__device__ double sum_of(const float2& v) { return v.x + v.y; }
__device__ double sum_of(const float4& v) { return v.x + v.y + v.z + v.w; }
__device__ double sum_of(const three& v) { return v.x + v.y + v.z; }
__device__ double sum_of(const three_wide& v) { return v.x + v.y + v.z; }
__device__ double sum_of(const pair& v) { return v.x + v.y; }
__device__ void fill(char& v, int t) { v = t; }
__device__ void fill(short& v, int t) { v = t; }
__device__ void fill(int& v, int t) { v = t; }
__device__ void fill(double& v, int t) { v = t; }
__device__ void fill(float4& v, int t) { v = make_float4(t, 1, t, 2); }
__device__ void fill(three& v, int t) { v = {float(t), 1, 2}; }
__device__ void fill(three_wide& v, int t) { v = {double(t), 1, 2}; }

struct load {
  template <class T>
  static __device__ void access(T* at, int, int impossible) {
    if (sum_of(*at) == impossible) result[0] = 1;
  }
};
struct store {
  template <class T>
  static __device__ void access(T* at, int t, int) {
    fill(*at, t);
  }
};
struct atomic {
  template <class T>
  static __device__ void access(T* at, int t, int) {
    atomicAdd(at, t);
  }
};
struct global {
  static __device__ void* memory(void* p) { return p; }
};
struct shared {
  static __device__ void* memory(void*) { return tile; }
};

#define PATTERN(memory_kind, operation, name, type, condition, index)  \
  __global__ void name(void* p, int impossible) {                      \
    const int t = threadIdx.x, b = blockIdx.x;                         \
    (void)b;                                                           \
    type* const elements = static_cast<type*>(memory_kind::memory(p)); \
    if (condition) operation::access(&elements[index], t, impossible); \
  }
#include "patterns.inc"

int main() {
  void* p = nullptr;
  cudaMalloc(&p, 1 << 20);
  cudaMemset(p, 0, 1 << 20);
// No sum of loaded values equals the last argument, not even one of uninitialised shared memory.
#define PATTERN(memory_kind, operation, name, type, condition, index) name<<<4, 128, 32768>>>(p, 123456789);
#include "patterns.inc"
  const cudaError_t error = cudaDeviceSynchronize();
  std::puts(cudaGetErrorString(error));
  return error != cudaSuccess;
}
