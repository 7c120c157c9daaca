// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: inclusive_scan and exclusive_scan: this group cannot scan
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::exclusive_scan(cg::this_grid(), 1, cg::less<int>());
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::exclusive_scan(tile, 1, cg::less<int>());
#endif
}
