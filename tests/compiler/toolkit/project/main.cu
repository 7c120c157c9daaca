// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cooperative_groups.h>

#include <cstdio>

__device__ int twice_plus_one(int x);  // defined in a static library
int device_count();

__global__ void fill(int* out) {
  const unsigned rank = cooperative_groups::this_thread_block().thread_rank();
  out[rank] = twice_plus_one(static_cast<int>(rank));
}

int main() {
  int* out = nullptr;
  if (device_count() < 1 || cudaMallocManaged(&out, 32 * sizeof *out) != cudaSuccess) return 1;
  fill<<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  for (int i = 0; i < 32; ++i) {
    if (out[i] != 2 * i + 1) return 3;
  }
  std::puts("32 values are right");
}
