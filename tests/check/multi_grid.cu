// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two grids of one launch, on two devices, with and without the barrier between them. Marks as in races.cu and
// remedies.cu.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

// race: a b 64
// remedy: a b devices
__global__ void grids(int* out, int* values) {
  const unsigned grid = cg::this_multi_grid().grid_rank();
  values[grid * 32 + threadIdx.x] = 1;  // [a]
  cg::this_grid().sync();
  out[grid * 32 + threadIdx.x] = values[(grid ^ 1) * 32 + threadIdx.x];  // [b]
}
__global__ void grids_in_order(int* out, int* values) {
  const unsigned grid = cg::this_multi_grid().grid_rank();
  for (int round = 0; round < 3; ++round) {
    values[grid * 32 + threadIdx.x] = round;
    cg::this_multi_grid().sync();
    out[grid * 32 + threadIdx.x] = values[(grid ^ 1) * 32 + threadIdx.x];
    cg::this_multi_grid().sync();
  }
}

int main() {
  int *out = nullptr, *values = nullptr;
  cudaMallocManaged(&out, 256);
  cudaMallocManaged(&values, 256);
  void* arguments[] = {&out, &values};
  cudaLaunchParams launches[2];
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    launches[device] = {nullptr, 1, 32, arguments, 0, nullptr};
    cudaStreamCreate(&launches[device].stream);
  }
  for (void (*const kernel)(int*, int*) : {grids, grids_in_order}) {
    launches[0].func = launches[1].func = reinterpret_cast<void*>(kernel);
    cudaLaunchCooperativeKernelMultiDevice(launches, 2, 0);
    cudaDeviceSynchronize();
  }
  cudaSetDevice(0);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
