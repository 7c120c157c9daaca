// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the size of a tile must be a power of two: 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::tiled_partition<3>(cg::this_thread_block());
#else
  cg::tiled_partition<4>(cg::this_thread_block());
#endif
}
