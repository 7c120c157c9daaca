// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every group and every collective; nvrtc_test.cpp compiles this source from a string. It includes no system header.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cohort/cohort.hpp>

namespace cg = cooperative_groups;

struct large {
  int words[12];
};

template <class Group>
__device__ __noinline__ int collect(const Group& g, int value) {
  int sum = static_cast<int>(g.thread_rank() + g.num_threads() + g.size());
  sum += cg::reduce(g, value, cg::plus<int>());
  sum += cg::inclusive_scan(g, value, cg::greater<int>()) + cg::exclusive_scan(g, value, cg::bit_or<int>());
  sum += cg::invoke_one_broadcast(g, [] { return 3; });
  cg::invoke_one(g, [&] { ++sum; });
  g.sync();
  cg::sync(g);
  return sum;
}
template <class Group>
__device__ __noinline__ int shuffle(const Group& g, int value) {
  large wide = {{value}};
  return g.shfl(value, 1) + g.shfl_up(value, 1) + g.shfl_down(value, 1) + g.shfl_xor(value, 1) + g.any(value) +
         g.all(value) + g.shfl(wide, 0).words[0] + static_cast<int>(g.shfl(static_cast<double>(value), 0));
}
template <class Group>
__device__ __noinline__ int vote(const Group& g, int value) {
  int agree = 0;
  return static_cast<int>(g.ballot(value) + g.match_any(value) + g.match_all(value, agree)) + agree;
}

extern "C" __global__ void every_group(int* out, const int* in) {
  __shared__ int shared[128];
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const int value = in[grid.thread_rank()];
  int sum = collect(block, value);
  const auto warp = cg::tiled_partition<32>(block);
  const auto four = cg::tiled_partition<4>(warp);
  const auto some = cg::coalesced_threads();
  const auto big = cg::tiled_partition<128>(block);
  sum += collect(warp, value) + shuffle(warp, value) + vote(warp, value);
  sum += collect(four, value) + shuffle(four, value) + vote(four, value);
  sum += collect(some, value) + shuffle(some, value) + vote(some, value);
  sum += collect(big, value) + shuffle(big, value);
  sum += vote(cg::labeled_partition(warp, value), value) + vote(cg::binary_partition(some, value > 0), value);
  sum += vote(cg::tiled_partition(some, 4), value) + shuffle(cg::this_thread(), value);
  const cg::thread_group any = cg::tiled_partition(block, 8);
  any.sync();
  sum += static_cast<int>(any.size() + grid.num_blocks() + grid.is_valid());
  cg::memcpy_async(block, shared, in, sizeof(shared));
  cg::memcpy_async(block, shared, 64, in, 64);
  cg::wait_prior<1>(block);
  cg::wait(block);
  grid.sync();
  out[grid.thread_rank()] = sum + shared[threadIdx.x % 128];
}

#if __CUDA_ARCH__ >= 900
// Groups that span blocks.
extern "C" __global__ void wide_groups(cohort::grid_workspace workspace, int* out, const int* in) {
  __shared__ int shared;
  const cohort::grid_group grid = cohort::this_grid(workspace);
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::multi_grid_group grids = cg::this_multi_grid();
  const int value = in[grid.thread_rank()];
  if (threadIdx.x == 0) shared = value;
  cluster.barrier_wait(cluster.barrier_arrive());
  int sum = *cluster.map_shared_rank(&shared, 0) + static_cast<int>(cluster.query_shared_rank(&shared));
  cluster.sync();
  sum += collect(grid, value) + collect(cluster, value);
  if (grids.is_valid()) sum += collect(grids, value) + static_cast<int>(grids.grid_rank() + grids.num_grids());
  auto token = grid.barrier_arrive();
  sum += static_cast<int>(cohort::count(cg::this_thread_block(), value > 0));
  grid.barrier_wait(static_cast<decltype(token)&&>(token));
  sum += cohort::broadcast(grid, value, 3) + cohort::any(cluster, value) + cohort::all(cg::this_thread_block(), value);
  out[grid.thread_rank()] = sum;
}
#endif
