// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: its type must be trivially copyable
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct owner {
  int value = 0;
  owner() = default;
  owner(const owner& other) : value(other.value) {}
};
struct copyable {
  int value = 0;
};

void kernel() {
#if WRONG
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  tile.shfl(owner(), 0);
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  tile.shfl(copyable(), 0);
#endif
}
