// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the label must be an integer or a pointer
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::labeled_partition(tile, 1.0);
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::labeled_partition(tile, 1);
#endif
}
