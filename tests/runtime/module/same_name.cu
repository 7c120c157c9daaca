// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two translation units with kernels and variables of equal names and internal linkage: each launch uses those of its
// own unit.
#include <cstdio>

int run_other();

static __device__ int base = 100;
static __global__ void work(int* out) { *out = base + 1; }
template <class T>
__global__ void shared_template(T* out) {
  *out += 1;
}

int main() {
  int* out = nullptr;
  if (cudaMallocManaged(&out, sizeof(int)) != cudaSuccess) return 1;
  work<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  const int mine = *out;
  shared_template<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  const int other = run_other();
  std::printf("mine %d, after the template %d, the other's %d\n", mine, *out, other);
  return mine == 101 && *out == 102 && other == 203 ? 0 : 4;
}
