// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: inclusive_scan and exclusive_scan: this group cannot scan
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto block = cg::this_thread_block();
  cg::inclusive_scan(block, 1);
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::inclusive_scan(tile, 1);
#endif
}
