// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cannot bind || no matching || expects an rvalue || rvalue reference
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const auto cluster = cg::this_cluster();
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(token);
#else
  const auto cluster = cg::this_cluster();
  cluster.barrier_wait(cluster.barrier_arrive());
#endif
}
