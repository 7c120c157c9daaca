// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: thread_rank: the argument is not a group
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::thread_rank(1);
#else
  cg::thread_rank(cg::this_thread_block());
#endif
}
