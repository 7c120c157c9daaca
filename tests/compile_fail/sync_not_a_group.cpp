// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: sync: the argument is not a group
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::sync(1);
#else
  cg::sync(cg::this_thread_block());
#endif
}
