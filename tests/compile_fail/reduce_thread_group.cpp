// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: reduce: this is no group that can reduce
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const cg::thread_group group = cg::this_thread_block();
  cg::reduce(group, 1, cg::plus<int>());
#else
  const auto group = cg::this_thread();
  cg::reduce(group, 1, cg::plus<int>());
#endif
}
