// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: tiled_partition<Size> cuts a thread_block or a larger tile
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::tiled_partition<8>(cg::this_cluster());
#else
  cg::tiled_partition<8>(cg::this_thread_block());
#endif
}
