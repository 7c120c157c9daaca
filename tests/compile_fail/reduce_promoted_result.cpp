// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the operator's result type differs from the value's type
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const short value = 1;
  cg::reduce(tile, value, [](auto a, auto b) { return a + b; });
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const short value = 1;
  cg::reduce(tile, value, cg::plus<short>());
#endif
}
