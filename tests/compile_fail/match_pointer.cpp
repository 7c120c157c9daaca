// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: match_any and match_all compare integers and floating-point numbers of up to 8 bytes only
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int predicate = 0;
  tile.match_all(&predicate, predicate);
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int predicate = 0;
  tile.match_all(1, predicate);
#endif
}
