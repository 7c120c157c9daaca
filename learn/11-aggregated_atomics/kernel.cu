// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzle 11. README.md has the task; `cohort learn 11` compiles and runs this file.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Reserves `count` places of the list and returns the first. counters[0] is the next place, counters[1] counts calls.
__device__ int reserve(int* counters, int count) {
  atomicAdd(&counters[1], 1);
  return atomicAdd(&counters[0], count);
}

__global__ void collect(const int* in, int* list, int* counters) {
  const int element = in[cg::this_grid().thread_rank()];
  if (element > 0) {
    // Your code begins: append `element`, with one call of reserve() for the threads that are here.
    list[reserve(counters, 1)] = element;
    // Your code ends.
  }
}
