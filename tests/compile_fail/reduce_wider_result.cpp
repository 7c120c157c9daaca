// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the operator's result type differs from the value's type
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, 1, [](int a, int b) { return static_cast<long>(a) + b; });
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, 1, [](int a, int b) { return a + b; });
#endif
}
