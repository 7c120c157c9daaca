// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: both layouts must have the same alignment
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  char to[64];
  const char from[64] = {};
  cg::memcpy_async(cg::this_thread(), to, cuda::aligned_size_t<16>(64), from, cuda::aligned_size_t<8>(64));
#else
  char to[64];
  const char from[64] = {};
  cg::memcpy_async(cg::this_thread(), to, cuda::aligned_size_t<8>(64), from, cuda::aligned_size_t<8>(64));
#endif
}
