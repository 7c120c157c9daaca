// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the value's type must be trivially copyable
#include <cooperative_groups/reduce.h>

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
  cg::reduce(tile, owner(), [](owner a, owner) { return a; });
#else
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::reduce(tile, copyable(), [](copyable a, copyable) { return a; });
#endif
}
