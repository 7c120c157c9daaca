// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: Size must be smaller than the tile that is cut
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::tiled_partition<8>(tile);
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::tiled_partition<4>(tile);
#endif
}
