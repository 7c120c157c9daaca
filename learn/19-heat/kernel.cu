// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 19. README.md has the task; `cohort learn 19` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int mean(const int* x, int i) { return (x[i - 1] + 2 * x[i] + x[i + 1]) / 4; }

__global__ void heat(int* a, int* b, int n, int steps) {
  const auto grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int step = 0; step < steps; ++step) {
    const int* const from = step % 2 == 0 ? a : b;
    int* const to = step % 2 == 0 ? b : a;
    // Your code begins: one step for all cells.

    // Your code ends.
  }
}
