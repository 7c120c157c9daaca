// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with one memcpy_async, for counting the instructions of the copy; WITHOUT_COPY compiles the rest of it.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

extern "C" __global__ void copied(ELEMENT* in, ELEMENT* out, int bytes) {
  __shared__ alignas(16) ELEMENT buffer[16384 / sizeof(ELEMENT)];
  const cg::thread_block block = cg::this_thread_block();
#if defined(WITHOUT_COPY)
  buffer[threadIdx.x] = in[threadIdx.x];
  block.sync();
#else
  cg::memcpy_async(block, buffer, in, bytes);
  cg::wait(block);
#endif
  out[threadIdx.x] = buffer[threadIdx.x * 2];
}
