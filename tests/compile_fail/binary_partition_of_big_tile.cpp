// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: binary_partition: a coalesced_group lies in one warp, so it is made of a tile of up to 32 threads
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::binary_partition(cg::tiled_partition<64>(cg::this_thread_block()), true);
#else
  cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), true);
#endif
}
