// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: inclusive_scan and exclusive_scan: this is no group that can scan
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  const cg::thread_group group = cg::this_thread_block();
  cg::inclusive_scan(group, 1);
#else
  const auto group = cg::this_thread_block();
  cg::inclusive_scan(group, 1);
#endif
}
