// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 12. README.md has the task; `cohort learn 12` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void histogram(const int* keys, int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int key = keys[block.thread_rank()];
  int* const bins = out + 5 * warp.meta_group_rank();
  // Your code begins: bins[k] grows by the number of threads of the warp whose key is k.
  bins[key] += 1;
  // Your code ends.
}
