// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second source with another kernel: the headers of the groups must not define anything twice. Its expf is a symbol
// of SLEEF, which the consumer's build must link.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

__global__ void add_one_kernel(int* data, int count) {
  const int i = static_cast<int>(cooperative_groups::this_grid().thread_rank());
  if (i < count) data[i] += static_cast<int>(expf(count < 0 ? 1.0f : 0.0f));
}

void add_one(int* data, int count) { add_one_kernel<<<(count + 63) / 64, 64>>>(data, count); }
