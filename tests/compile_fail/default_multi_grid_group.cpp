// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: private || protected || no matching
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::multi_grid_group grids;
  (void)grids;
#else
  cg::multi_grid_group grids = cg::this_multi_grid();
  (void)grids;
#endif
}
