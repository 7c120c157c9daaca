// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: invoke_one_broadcast: this is no group that can broadcast
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const cg::thread_group group = cg::this_thread_block();
  cg::invoke_one_broadcast(group, [] { return 1; });
#else
  const auto group = cg::this_thread_block();
  cg::invoke_one_broadcast(group, [] { return 1; });
#endif
}
