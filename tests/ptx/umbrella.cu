// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every group and every collective once, for the compilers of NVIDIA GPUs: it compiles for each target, without a
// warning.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cohort/cohort.hpp>

namespace cg = cooperative_groups;

struct large {
  int values[10];
};

template <class Group>
__device__ int lanes_of(const Group& group, int value) {
  value += group.shfl(value, 1) + group.shfl_up(value, 1) + group.shfl_down(value, 1) + group.shfl_xor(value, 1);
  value += group.any(value > 1) + group.all(value > 2) + static_cast<int>(group.ballot(value & 1));
  int same = 0;
  value += static_cast<int>(group.match_any(value)) + static_cast<int>(group.match_all(value, same)) + same;
  value += group.shfl(large{{value}}, 0).values[0];
  group.sync();
  return value + static_cast<int>(group.meta_group_rank() + group.meta_group_size());
}

template <class Group>
__device__ int collectives_of(const Group& group, int value) {
  value += cg::reduce(group, value, cg::plus<int>()) + cg::reduce(group, value, cg::less<int>());
  value += cg::inclusive_scan(group, value) + cg::exclusive_scan(group, value, cg::bit_or<int>());
  value += static_cast<int>(cg::reduce(group, 1.5f, [](float a, float b) { return a * b; }));
  value += cohort::broadcast(group, value, 0) + static_cast<int>(cohort::count(group, value > 0));
  return value + cg::invoke_one_broadcast(group, [value] { return value; });
}

__global__ void groups(int* out, const int* in) {
  __shared__ int buffer[1024];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in, sizeof(buffer));
  cg::memcpy_async(block, buffer, cuda::aligned_size_t<16>(64), in, cuda::aligned_size_t<16>(64));
  cg::wait_prior<1>(block);
  cg::wait(block);
  int value = buffer[block.thread_rank()];

  const auto tile = cg::tiled_partition<32>(block);
  const auto wide = cg::tiled_partition<128>(block);
  value = lanes_of(tile, value);
  value = lanes_of(cg::tiled_partition<4>(tile), value);
  value = collectives_of(cg::tiled_partition<16>(wide), value);
  if (value & 1) value = collectives_of(cg::coalesced_threads(), lanes_of(cg::coalesced_threads(), value));
  value = lanes_of(cg::labeled_partition(tile, value & 3), value);
  value = lanes_of(cg::binary_partition(tile, value > 3), value);

  value += wide.shfl(value, 5) + wide.shfl_up(value, 3) + wide.any(value > 3) + wide.all(value > 3);
  wide.sync();
  auto tile_token = wide.barrier_arrive();
  wide.barrier_wait(static_cast<decltype(tile_token)&&>(tile_token));
  auto token = block.barrier_arrive();
  block.barrier_wait(static_cast<decltype(token)&&>(token));

  const auto grid = cg::this_grid();
  if (grid.is_valid()) {
    grid.sync();
    auto grid_token = grid.barrier_arrive();
    grid.barrier_wait(static_cast<decltype(grid_token)&&>(grid_token));
  }
  cg::thread_group any_group = block;
  cg::sync(any_group);
  cg::invoke_one(block, [out] { *out = 1; });
  out[grid.thread_rank()] = value + static_cast<int>(cg::tiled_partition(any_group, 8).size());
}

__global__ void clusters(int* out) {
  __shared__ int shared;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) shared = static_cast<int>(cluster.block_rank());
  cluster.sync();
  const int* there = cluster.map_shared_rank(&shared, 0);
  out[cluster.thread_rank()] = *there + static_cast<int>(cluster.query_shared_rank(there));
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
}
