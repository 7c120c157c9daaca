// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: invoke_one_broadcast: this group cannot broadcast
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto block = cg::this_thread_block();
  cg::invoke_one_broadcast(block, [] { return 1; });
#else
  const auto block = cg::this_thread_block();
  cg::invoke_one(block, [] { return 1; });
#endif
}
