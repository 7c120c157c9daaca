// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the destination's type differs from the value's type
#include <cooperative_groups/scan.h>

#include <atomic>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  std::atomic<long> total(0);
  cg::inclusive_scan_update(cg::this_thread_block(), total, 1);
#else
  std::atomic<int> total(0);
  cg::inclusive_scan_update(cg::this_thread_block(), total, 1);
#endif
}
