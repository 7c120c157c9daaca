// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups in a block whose threads wait, return and run, for the test of gdb.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void work(int* x) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  cg::thread_group any = tile;
  const int t = threadIdx.x;
  block.sync();
  if (t == 40) {
    auto active = cg::coalesced_threads();
    x[t] = active.size() + any.size();  // stop here, for gdb
  }
  x[t] = tile.shfl(t, 3);
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 70 * sizeof(int));
  work<<<2, 70>>>(x);
  cudaDeviceSynchronize();
}
