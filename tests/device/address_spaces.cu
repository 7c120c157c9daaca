// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of address spaces for shared and global memory. nvcc compiles the file, too.
#include <cstdio>

namespace {

__device__ int in_device;

__global__ void classify(int* global, int* out) {
  __shared__ int fixed[32];
  extern __shared__ int dynamic[];
  const void* const addresses[] = {&fixed[threadIdx.x], &dynamic[threadIdx.x], global, &in_device};
  for (int i = 0; i < 4; ++i) {
    out[threadIdx.x * 4 + i] = (__isShared(addresses[i]) ? 1 : 0) + (__isGlobal(addresses[i]) ? 2 : 0);
  }
  // A pointer stays the same through both conversions.
  fixed[threadIdx.x] = static_cast<int>(threadIdx.x);
  const size_t narrow = __cvta_generic_to_shared(&fixed[threadIdx.x]);
  *static_cast<int*>(__cvta_shared_to_generic(narrow)) += 100;
  out[128 + threadIdx.x] = fixed[threadIdx.x];
}

}  // namespace

int main() {
  int* memory = nullptr;
  cudaMallocManaged(&memory, 161 * sizeof(int));
  classify<<<1, 32, 32 * sizeof(int)>>>(memory + 160, memory);
  int failures = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 128; ++i) {
    const int expected = i % 4 < 2 ? 1 : 2;
    if (memory[i] == expected) continue;
    std::printf("thread %d, address %d: %d, expected %d\n", i / 4, i % 4, memory[i], expected);
    ++failures;
  }
  for (int i = 0; i < 32; ++i) failures += memory[128 + i] != i + 100;
  return failures != 0;
}
