// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: private || protected || no matching
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::coalesced_group group;
  (void)group;
#else
  cg::coalesced_group group = cg::coalesced_threads();
  (void)group;
#endif
}
