// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: reduce: this group cannot reduce: use a tile of up to 32 threads
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto block = cg::this_thread_block();
  cg::reduce(block, 1, cg::plus<int>());
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, 1, cg::plus<int>());
#endif
}
