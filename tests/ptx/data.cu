// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of a module: variables make the first launch of a program slower. A file that uses no multi-device group has
// only libcu++'s variables, as with NVIDIA's header. check_promises.py compares the comment with the PTX.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// PTX file: -/\.const\s+\.align/ -/\.global\s+\.align\s+\d+\s+\.\w+\s+(?!\w*4cuda3std)/ +.entry
extern "C" __global__ void sum(int* values) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int total = cg::reduce(tile, values[block.thread_rank()], cg::plus<int>());
  cg::this_grid().sync();
  values[block.thread_rank()] = cg::inclusive_scan(tile, total);
}
