// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: invoke_one: the first argument is not a group
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::invoke_one(1, [] {});
#else
  cg::invoke_one(cg::this_thread_block(), [] {});
#endif
}
