// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: tiles of more than 32 threads are not available in this version of Cohort
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

void kernel() {
#if WRONG
  cg::tiled_partition<64>(cg::this_thread_block());
#else
  cg::tiled_partition<32>(cg::this_thread_block());
#endif
}
