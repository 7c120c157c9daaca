// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that a launch over several GPUs runs before its grids.
#pragma once

#include <stdint.h>

#include <cuda_runtime.h>

#include "../../../machine/ptx/port.hpp"

namespace cohort {
namespace detail {

// Zeroes the barrier words and the scratch memory of all devices. One device does it for all: a kernel on each device
// would wait for other work there.
template <class Unused>
__global__ void clear_words(multi_grid_descriptor launch) {
  const uint64_t blocks = static_cast<uint64_t>(launch.blocks) * launch.count;
  const uint64_t chunks = (sizeof(multi_grid_words) + blocks * multi_grid_scratch_bytes) / sizeof(uint4);
  for (uint32_t grid = 0; grid < launch.count; ++grid) {
    uint4* const to = reinterpret_cast<uint4*>(launch.words[grid]);
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < chunks; i += gridDim.x * blockDim.x) {
      to[i] = make_uint4(0, 0, 0, 0);
    }
  }
}

// Writes the descriptor with the barrier word of its own stream. A cooperative launch in the grid's stream runs it
// before the grid: a kernel whose own word equals the descriptor's belongs to the launch.
template <class Unused>
__global__ void write_descriptor(multi_grid_descriptor* to, multi_grid_descriptor launch) {
  launch.grid_word = ptx::grid_barrier_word();
  *to = launch;
}

}  // namespace detail
}  // namespace cohort
