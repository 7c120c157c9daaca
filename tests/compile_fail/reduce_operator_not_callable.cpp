// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the operator cannot be called with two values of the value's type
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, 1, [](int a) { return a; });
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, 1, [](int a, int) { return a; });
#endif
}
