// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 15. README.md has the task; `cohort learn 15` compiles and runs this file.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void reverse_parts(const int* in, int* out) {
  __shared__ int part[128];
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const unsigned n = block.num_threads();
  const int* const from = in + grid.block_rank() * n;
  // Your code begins: copy the n elements at `from` to `part`, and wait for them.

  // Your code ends.
  out[grid.thread_rank()] = part[n - 1 - block.thread_rank()];
}
