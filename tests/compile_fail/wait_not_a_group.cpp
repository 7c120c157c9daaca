// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: wait: the argument is not a group
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::wait(1);
#else
  cg::wait(cg::this_thread_block());
#endif
}
