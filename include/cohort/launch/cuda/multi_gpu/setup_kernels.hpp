// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that a launch over several GPUs runs before its grids.
#pragma once

#include <stdint.h>

#include "../../../machine/ptx/port.hpp"

namespace cohort {
namespace detail {

// Zeroes the barrier words, the messages and the scratch memory of all devices; blocks with the index y serve device y.
// With `with_staging`, after a launch that the host has ended, it also zeroes the staging buffers, which lie before the
// words. One device runs it for all devices: a kernel on each device would wait for other work there.
template <class Unused>
__global__ void clear_words(multi_grid_descriptor launch, bool with_staging) {
  const size_t before = with_staging ? array_staging_bytes : 0;
  const uint64_t chunks = (before + multi_grid_bytes(launch.blocks, launch.count)) / sizeof(uint4);
  uint4* const to = reinterpret_cast<uint4*>(reinterpret_cast<char*>(launch.words[blockIdx.y]) - before);
  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < chunks; i += gridDim.x * blockDim.x) {
    to[i] = make_uint4(0, 0, 0, 0);
  }
}

// Writes the descriptor, with the barrier word of the stream that runs this kernel. The launcher runs it cooperatively
// in the grid's stream, before the grid. A later kernel belongs to the launch if the barrier word in its registers
// equals `grid_word`.
template <class Unused>
__global__ void write_descriptor(multi_grid_descriptor* to, multi_grid_descriptor launch) {
  launch.grid_word = ptx::grid_barrier_word();
  *to = launch;
}

}  // namespace detail
}  // namespace cohort
