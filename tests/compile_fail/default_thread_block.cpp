// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: private || protected || no matching
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::thread_block group;
  (void)group;
#else
  cg::thread_block group = cg::this_thread_block();
  (void)group;
#endif
}
