// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: shfl_xor
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::coalesced_threads().shfl_xor(1, 1);
#else
  cg::coalesced_threads().shfl(1, 1);
#endif
}
