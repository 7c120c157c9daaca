// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the operator's result type differs from the value's type
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, 1, cg::plus<long>());
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, 1L, cg::plus<long>());
#endif
}
