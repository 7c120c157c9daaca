// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cannot bind || cannot convert || no matching || no viable conversion || no known conversion
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto block = cg::this_thread_block();
  block.barrier_wait(cg::this_cluster().barrier_arrive());
#else
  const auto block = cg::this_thread_block();
  block.barrier_wait(block.barrier_arrive());
#endif
}
