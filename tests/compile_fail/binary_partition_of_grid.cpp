// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function || could not convert || invalid initialization
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::binary_partition(cg::this_grid(), true);
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::binary_partition(tile, true);
#endif
}
