// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a size must be an integer or a cuda::aligned_size_t
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  char to[64];
  const char from[64] = {};
  cg::memcpy_async(cg::this_thread(), to, from, 64.0);
#else
  char to[64];
  const char from[64] = {};
  cg::memcpy_async(cg::this_thread(), to, from, 64u);
#endif
}
