// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: private || protected || no matching
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::grid_group group;
  (void)group;
#else
  cg::grid_group group = cg::this_grid();
  (void)group;
#endif
}
