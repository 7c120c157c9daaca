// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: wait_prior: the argument is not a group
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::wait_prior<1>(1);
#else
  cg::wait_prior<1>(cg::this_thread_block());
#endif
}
