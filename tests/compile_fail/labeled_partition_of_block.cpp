// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto block = cg::this_thread_block();
  cg::labeled_partition(block, 1);
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::labeled_partition(tile, 1);
#endif
}
