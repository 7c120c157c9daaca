// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  int to[4];
  const float from[4] = {};
  cg::memcpy_async(cg::this_thread(), to, from, 16);
#else
  float to[4];
  const float from[4] = {};
  cg::memcpy_async(cg::this_thread(), to, from, 16);
#endif
}
