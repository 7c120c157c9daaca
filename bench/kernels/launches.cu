// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.cuh"
#include "programs.hpp"

namespace bench {

namespace {
__global__ void small_kernel(int32_t* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }
}  // namespace

void two_small_blocks(int32_t* out) { launch("two small blocks", 2, 32, small_kernel, out); }

}  // namespace bench
