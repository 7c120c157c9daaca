// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the destination must be a cuda::atomic or cuda::atomic_ref
#include <cooperative_groups/reduce.h>

#include <atomic>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  int total = 0;
  cg::reduce_update_async(cg::this_thread_block(), total, 1, cg::plus<int>());
#else
  std::atomic<int> total(0);
  cg::reduce_update_async(cg::this_thread_block(), total, 1, cg::plus<int>());
#endif
}
