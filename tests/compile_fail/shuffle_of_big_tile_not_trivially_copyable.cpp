// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: its type must be trivially copyable
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct owner {
  owner() = default;
  owner(const owner&) {}
};

void kernel() {
#if WRONG
  cg::tiled_partition<64>(cg::this_thread_block()).shfl(owner(), 0);
#else
  cg::tiled_partition<64>(cg::this_thread_block()).shfl(1, 0);
#endif
}
