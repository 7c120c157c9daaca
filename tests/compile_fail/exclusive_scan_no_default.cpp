// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: rank 0 has no lower ranks
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

struct no_default {
  int value;
  explicit no_default(int v) : value(v) {}
};
struct choose {
  no_default operator()(no_default a, no_default) const { return a; }
};

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::exclusive_scan(tile, no_default(1), choose());
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::inclusive_scan(tile, no_default(1), choose());
#endif
}
