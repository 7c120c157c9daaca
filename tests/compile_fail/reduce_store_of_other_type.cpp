// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: reduce_store_async: the destination's type differs from the value's type || reduce_store_async: the
// destination must be
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  long total = 0;
  cg::reduce_store_async(cg::this_thread_block(), &total, 1, cg::plus<int>());
#else
  int total = 0;
  cg::reduce_store_async(cg::this_thread_block(), &total, 1, cg::plus<int>());
#endif
}
