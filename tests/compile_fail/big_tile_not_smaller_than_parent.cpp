// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: tiled_partition<Size> of a tile: Size must be smaller than the tile that is cut
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::tiled_partition<128>(cg::tiled_partition<64>(cg::this_thread_block()));
#else
  cg::tiled_partition<64>(cg::tiled_partition<128>(cg::this_thread_block()));
#endif
}
