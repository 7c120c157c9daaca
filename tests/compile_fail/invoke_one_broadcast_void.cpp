// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the function returns nothing to broadcast: use invoke_one
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::invoke_one_broadcast(tile, [] {});
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::invoke_one(tile, [] {});
#endif
}
