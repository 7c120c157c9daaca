// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: group_size: the argument is not a group
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::group_size(1);
#else
  cg::group_size(cg::this_thread_block());
#endif
}
