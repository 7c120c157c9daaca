// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cannot bind || no matching || expects an rvalue || rvalue reference
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto block = cg::this_thread_block();
  auto token = block.barrier_arrive();
  block.barrier_wait(token);
#else
  const auto block = cg::this_thread_block();
  block.barrier_wait(block.barrier_arrive());
#endif
}
