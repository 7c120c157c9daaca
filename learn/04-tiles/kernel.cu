// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 4. README.md has the task; `cohort learn 4` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void number_tiles(int* out, int* tiles) {
  const auto block = cg::this_thread_block();
  // Your code begins: divide the block into tiles of 8 threads, and number tiles and threads.

  // Your code ends.
}
