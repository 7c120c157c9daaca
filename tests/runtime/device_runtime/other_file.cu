// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "other_file.cuh"

namespace {
__global__ void multiply(int* to, int factor) { to[threadIdx.x] *= factor; }
}  // namespace

__global__ void add_of_other_file(int* to, int amount) { to[threadIdx.x] += amount; }
__device__ void launch_of_other_file(int* to, int amount) { multiply<<<1, 3>>>(to, amount); }
