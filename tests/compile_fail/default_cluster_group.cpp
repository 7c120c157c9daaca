// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: private || protected || no matching
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::cluster_group cluster;
  (void)cluster;
#else
  cg::cluster_group cluster = cg::this_cluster();
  (void)cluster;
#endif
}
