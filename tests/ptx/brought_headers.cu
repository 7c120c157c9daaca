// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses of parts of CUDA's C++ library that <cooperative_groups.h> includes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

static_assert(cuda::std::is_same_v<cuda::std::remove_const_t<const int>, int>);

__global__ void count(int* total) {
  const auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  const int all = cooperative_groups::reduce(tile, 1, cooperative_groups::plus<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(*total);
  if (tile.thread_rank() == 0) sum.fetch_add(cuda::std::plus<int>()(all, 0), cuda::memory_order_relaxed);
}
