// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: memcpy_async: this group cannot copy
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  char to[64];
  const char from[64] = {};
  const cg::thread_group group = cg::this_thread();
  cg::memcpy_async(group, to, from, 64);
#else
  char to[64];
  const char from[64] = {};
  cg::memcpy_async(cg::this_thread(), to, from, 64);
#endif
}
