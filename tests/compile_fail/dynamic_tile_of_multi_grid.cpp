// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: deleted
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::tiled_partition(cg::this_multi_grid(), 8);
#else
  cg::tiled_partition(cg::this_thread_block(), 8);
#endif
}
