// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong uses of collectives, each with a right twin:  misuse NAME wrong|right  runs one launch and prints its error.
// `misuse list` prints the names. run.py compares the report of each wrong use with the line `// REPORT` above the
// kernel; {A} and {B} are the lines that end with these marks.
//
// nvcc -DCOHORT_GPU_CHECK compiles it for a GPU; cohortcc compiles the uses inside a block, by calls_on_a_cpu.hpp.
#if defined(COHORT_CUDA_ON_CPU)
#include "calls_on_a_cpu.hpp"
#endif
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include <cohort/cohort.hpp>

#if !defined(COHORT_CUDA_ON_CPU)
#include <cuda/atomic>
#endif

namespace cg = cooperative_groups;

namespace {

#define KERNEL(name)    \
  template <bool Wrong> \
  __global__ void name(int* out)

__device__ unsigned rank() { return cg::this_thread_block().thread_rank(); }
__device__ cg::thread_block_tile<32> warp() { return cg::tiled_partition<32>(cg::this_thread_block()); }
// Ends the kernel with a result in each thread.
__device__ void finish(int* out, int value = 1) { out[cg::this_grid().thread_rank()] = value; }

// Groups in one warp

// REPORT part_of_a_tile: {A}: .* sync of a group in a warp has waited .* for thread \((16|48),0,0\), which has
//   called no collective
KERNEL(part_of_a_tile) {
  if (!Wrong || rank() % 32 < 16) warp().sync();  // A
  finish(out);
}

// REPORT returned_lane: {A}: .* shfl of a group in a warp has waited .* for thread \(3,0,0\), .*last collective was
//   sync at line {B}
KERNEL(returned_lane) {
  warp().sync();  // B
  if (Wrong && rank() == 3) return;
  finish(out, warp().shfl(1, 0));  // A
}

// REPORT two_collectives: ({A}|{B}): .*(shfl|any) of a group in a warp, while thread \(\d+,0,0\) waits for this
//   thread at line ({A}|{B}) in (shfl|any)
KERNEL(two_collectives) {
  const auto tile = warp();
  int value = 1;
  if (Wrong && rank() % 2 == 0) {
    value = tile.any(1);  // A
  } else {
    value = tile.shfl(1, 2);  // B
  }
  if (!Wrong) value = tile.any(1);
  finish(out, value);
}

// REPORT two_lines: ({A}|{B}): .* shfl of a group in a warp, while thread \(\d+,0,0\) waits at line ({A}|{B}) in
//   another call of shfl
KERNEL(two_lines) {
  const auto tile = warp();
  int value = rank() % 2 == 0 ? 5 : 6;
  if (Wrong && rank() % 2 == 0) {
    value = tile.shfl(value, 1);  // A
  } else {
    value = tile.shfl(value, 2);  // B
  }
  finish(out, value);
}

// The lanes of a barrier may call it at different lines, as in PTX.
// REPORT two_lines_of_a_barrier: ({A}|{B}): .* (sync|ballot) of a group in a warp, while .* in (ballot|sync)
KERNEL(two_lines_of_a_barrier) {
  const auto tile = warp();
  if (rank() % 2 == 0) {
    tile.sync();  // A
  } else if (Wrong) {
    tile.ballot(1);  // B
  } else {
    tile.sync();
  }
  finish(out);
}

// REPORT old_coalesced_group: {A}: .* sync of a group in a warp has waited .* for thread \(\d*[13579],0,0\)
KERNEL(old_coalesced_group) {
  const auto all = cg::coalesced_threads();
  if (rank() % 2 == 0) {
    if (Wrong) {
      all.sync();  // A
    } else {
      cg::coalesced_threads().sync();
    }
  }
  finish(out);
}

// REPORT group_of_other_lanes: {A}: .* any of a group in a warp by a thread that is not in it: lane \d*[13579], the
//   group's lanes are 0x55555555
KERNEL(group_of_other_lanes) {
  const auto tile = warp();
  const auto halves = cg::binary_partition(tile, rank() % 2 != 0);
  __shared__ alignas(16) unsigned char handle[sizeof(cg::coalesced_group)];
  if (rank() == 0) memcpy(handle, &halves, sizeof(halves));
  cg::this_thread_block().sync();
  cg::coalesced_group group = halves;
  if (Wrong) memcpy(&group, handle, sizeof(group));
  finish(out, group.any(1));  // A
}

// REPORT group_of_another_warp: {A}: .* sync of a group in a warp whose lanes 0xffffffff do not all exist in this
//   warp
KERNEL(group_of_another_warp) {
  const cg::coalesced_group mine = cg::binary_partition(warp(), true);
  __shared__ alignas(16) unsigned char handle[sizeof(cg::coalesced_group)];
  if (rank() == 0) memcpy(handle, &mine, sizeof(mine));
  cg::this_thread_block().sync();
  cg::coalesced_group group = mine;
  if (Wrong) memcpy(&group, handle, sizeof(group));
  group.sync();  // A
  finish(out);
}

// REPORT two_groups: {A}: .* shfl of a group in a warp with the members 0x(ffffffff|0000ffff), while thread
//   \(\d+,0,0\) waits at line {A} with the members 0x(ffffffff|0000ffff)
KERNEL(two_groups) {
  const auto whole = cg::binary_partition(warp(), true);
  const auto half = cg::tiled_partition(whole, 16);
  const cg::coalesced_group group = Wrong && rank() % 32 < 8 ? whole : half;
  finish(out, group.shfl(1, 0));  // A
}

// REPORT reduce_in_half_a_tile: {A}: .* reduce of a group in a warp has waited .* for thread
KERNEL(reduce_in_half_a_tile) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int sum = 16;
  if (!Wrong || tile.thread_rank() < 8) sum = cg::reduce(tile, 1, cg::plus<int>());  // A
  finish(out, sum);
}

// REPORT two_matches: ({A}|{B}): .* match_(any|all) of a group in a warp, while thread .* in match_(any|all)
KERNEL(two_matches) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int all = 0;
  unsigned found = 0;
  if (!Wrong || tile.thread_rank() == 0) found = tile.match_any(7);       // A
  if (!Wrong || tile.thread_rank() != 0) found = tile.match_all(7, all);  // B
  finish(out, static_cast<int>(found));
}

// REPORT uneven_loops: {A}: .* inclusive_scan of a group in a warp has waited .* last collective was inclusive_scan
//   at line {A}
KERNEL(uneven_loops) {
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const unsigned rounds = Wrong ? 2 + tile.thread_rank() % 2 : 3;
  int value = 1;
  for (unsigned i = 0; i < rounds; ++i) value = cg::inclusive_scan(tile, value);  // A
  finish(out, value);
}

// REPORT swapped_order: ({A}|{B}): .* (shfl_down|shfl_up) of a group in a warp, while thread .* in
//   (shfl_down|shfl_up)
KERNEL(swapped_order) {
  const auto tile = warp();
  int value = static_cast<int>(rank());
  for (int i = 0; i < 2; ++i) {
    if ((i == 0) == (!Wrong || rank() % 4 == 0)) {
      value = tile.shfl_down(value, 1);  // A
    } else {
      value = tile.shfl_up(value, 1);  // B
    }
  }
  finish(out, value);
}

// REPORT partition_in_a_branch: {A}: .* labeled_partition of a group in a warp has waited .* for thread
KERNEL(partition_in_a_branch) {
  const auto tile = warp();
  unsigned size = 1;
  if (!Wrong || rank() % 3 == 0) size = cg::labeled_partition(tile, rank() % 5).num_threads();  // A
  finish(out, static_cast<int>(size));
}

// REPORT any_group: {A}: .* sync of a group in a warp has waited .* for thread
KERNEL(any_group) {
  const cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), 8);
  if (!Wrong || group.thread_rank() < 5) group.sync();  // A
  finish(out);
}

// REPORT shuffle_before_the_barrier: ({A}|{B}): .* while thread \(\d+,0,0\) waits for this thread at line ({A}|{B})
//   in
KERNEL(shuffle_before_the_barrier) {
  int value = 1;
  if (Wrong && rank() % 32 == 31) {
    cg::this_thread_block().sync();  // A
  } else {
    value = warp().shfl_xor(1, 1);  // B
    cg::this_thread_block().sync();
  }
  finish(out, value);
}

// Tiles above 32 threads

// REPORT tile_and_block: ({A}|{B}): .* sync of (a tile above 32 threads|the block), while thread .* in sync of (a
//   tile above 32 threads|the block)
KERNEL(tile_and_block) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<128>(block);
  if (Wrong && rank() < 64) {
    block.sync();  // A
  } else {
    tile.sync();  // B
  }
  finish(out);
}

// REPORT returned_warp: {A}: .* sync of a tile above 32 threads has waited .* for thread \(64,0,0\), which has
//   called no collective
KERNEL(returned_warp) {
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block());
  finish(out);
  if (Wrong && rank() / 32 == 2) return;
  tile.sync();  // A
}

// REPORT two_collectives_of_a_tile: ({A}|{B}): .* (shfl|all) of a tile above 32 threads, while thread .* in
//   (shfl|all) of a tile
KERNEL(two_collectives_of_a_tile) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int value = 1;
  if (Wrong && rank() % 64 < 32) {
    value = tile.all(1);  // A
  } else {
    value = tile.shfl(1, 5);  // B
  }
  finish(out, value);
}

// REPORT warp_instead_of_tile: {A}: .* sync of a tile above 32 threads has waited .* for thread \(32,0,0\), .*last
//   collective was sync at line {B}
KERNEL(warp_instead_of_tile) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (Wrong && rank() % 64 >= 32) {
    warp().sync();  // B
  } else {
    tile.sync();  // A
  }
  finish(out);
}

// REPORT two_reductions_of_a_tile: ({A}|{B}): .* reduce of a tile above 32 threads, while thread .* waits at line
//   ({A}|{B}) in another call of reduce
KERNEL(two_reductions_of_a_tile) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int value;
  if (Wrong && rank() % 64 < 32) {
    value = cg::reduce(tile, 1, cg::plus<int>());  // A
  } else {
    value = cg::reduce(tile, 1, cg::plus<int>());  // B
  }
  finish(out, value);
}

// REPORT split_tile: {A}: .* barrier_wait of a tile above 32 threads has waited .* for thread \(32,0,0\)
KERNEL(split_tile) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  auto token = tile.barrier_arrive();
  finish(out);
  if (Wrong && rank() % 64 >= 32) return;
  tile.barrier_wait(static_cast<decltype(token)&&>(token));  // A
}

// The block

// REPORT barrier_and_reduction: ({A}|{B}): .* (sync|reduce) of the block, while thread .* in (sync|reduce) of the
//   block
KERNEL(barrier_and_reduction) {
  const auto block = cg::this_thread_block();
  int sum = static_cast<int>(block.num_threads());
  if (Wrong && rank() < 40) {
    block.sync();  // A
  } else {
    sum = cohort::reduce(block, 1, cohort::plus<int>());  // B
  }
  finish(out, sum);
}

// REPORT reduction_without_a_warp: {A}: .* reduce of the block has waited .* for thread \(32,0,0\)
KERNEL(reduction_without_a_warp) {
  finish(out);
  if (Wrong && rank() / 32 == 1) return;
  finish(out, cohort::reduce(cg::this_thread_block(), 1, cohort::plus<int>()));  // A
}

// REPORT one_broadcasts: {A}: .* invoke_one_broadcast of the block has waited .* for thread \(1,0,0\)
KERNEL(one_broadcasts) {
  int value = 3;
  if (!Wrong || rank() == 0) value = cg::invoke_one_broadcast(cg::this_thread_block(), [] { return 3; });  // A
  finish(out, value);
}

// A thread that has returned does not delay the block's barrier.
// REPORT barrier_without_a_thread: {A}: .* any of the block has waited .* for thread \(5,0,0\), which .*last
//   collective was sync at line {B}
KERNEL(barrier_without_a_thread) {
  const auto block = cg::this_thread_block();
  block.sync();  // B
  finish(out);
  if (rank() == 5) return;
  block.sync();
  if (Wrong) finish(out, cohort::any(block, true));  // A
}

// The grid and clusters: on a CPU only the calls of threads of one block are compared. "GPU REPORT" needs a GPU.

// REPORT grid_without_thread_0: {A}: .* sync of the grid has waited .* for (thread \(0,0,0\)|block \(1,0,0\))
KERNEL(grid_without_thread_0) {
  finish(out);
  if (Wrong && blockIdx.x == 1 && rank() == 0) return;
  cg::this_grid().sync();  // A
}

// REPORT grid_or_block: ({A}|{B}): .* sync of the (grid|block), while thread .* in sync of the (grid|block)
KERNEL(grid_or_block) {
  if (Wrong && rank() >= 32) {
    cg::this_thread_block().sync();  // A
  } else {
    cg::this_grid().sync();  // B
  }
  finish(out);
}

// GPU
// REPORT grid_without_a_block: {A}: .* sync of the grid has waited .* for block \(2,0,0\), which has called no
//   collective
KERNEL(grid_without_a_block) {
  finish(out);
  if (Wrong && blockIdx.x == 2) return;
  cg::this_grid().sync();  // A
}

// GPU
// REPORT grid_arrival_of_a_block: {A}: .* barrier_wait of the grid has waited .* for block \(1,0,0\), .*last
//   collective was sync at line {B}
KERNEL(grid_arrival_of_a_block) {
  const auto grid = cg::this_grid();
  grid.sync();  // B
  finish(out);
  if (Wrong && blockIdx.x == 1) return;
  auto token = grid.barrier_arrive();
  grid.barrier_wait(static_cast<decltype(token)&&>(token));  // A
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// GPU
// REPORT cluster_without_a_block: {A}: .* sync of the cluster has waited .* for block \((1|3),0,0\), which has
//   called no collective
KERNEL(cluster_without_a_block) {
  finish(out);
  if (Wrong && blockIdx.x % 2 == 1) return;
  cg::this_cluster().sync();  // A
}

// GPU
// REPORT cluster_or_reduction: ({A}|{B}): .* (sync|reduce) of the cluster, while block \(\d,0,0\) is at line
//   ({A}|{B}) in (sync|reduce) of the cluster
KERNEL(cluster_or_reduction) {
  int sum = 1;
  if (Wrong && blockIdx.x % 2 == 1) {
    cg::this_cluster().sync();  // A
  } else {
    sum = cohort::reduce(cg::this_cluster(), 1, cohort::plus<int>());  // B
  }
  finish(out, sum);
}

// GPU
// REPORT cluster_or_grid: ({A}|{B}): .* sync of the (cluster|grid) has waited .* for block .* which waits at line
//   ({A}|{B}) in sync of the (cluster|grid)
KERNEL(cluster_or_grid) {
  if (Wrong && blockIdx.x % 2 == 1) {
    cg::this_grid().sync();  // A
  } else {
    cg::this_cluster().sync();  // B
  }
  if (!Wrong) cg::this_grid().sync();
  finish(out);
}
#else
KERNEL(cluster_without_a_block) {}
KERNEL(cluster_or_reduction) {}
KERNEL(cluster_or_grid) {}
#endif

#if !defined(COHORT_CUDA_ON_CPU)
// Never launched. check_ptx.py tests that these calls, too, name their own lines.
template <class Group>
__device__ void each_call(const Group& group, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]);
  const cohort::plus<int> add;
  group.sync();
  cohort::sync(group);
  cg::wait(group);
  cg::wait_prior<1>(group);
  out[1] = cohort::count(group, out[2] != 0) + cohort::any(group, out[3] != 0) + cohort::all(group, out[4] != 0);
  out[5] = cohort::broadcast(group, out[5]) + cohort::broadcast(group, out[6], 1);
  out[7] = cg::invoke_one_broadcast(group, [] { return 3; });
  out[7] += cg::invoke_one_broadcast(group, [](int value) { return value; }, 4);
  out[8] = cohort::reduce(group, out[8], add);
  out[9] = cohort::inclusive_scan(group, out[9], add) + cohort::inclusive_scan(group, out[10]);
  out[11] = cohort::exclusive_scan(group, out[11], add) + cohort::exclusive_scan(group, out[12]);
  cohort::reduce_update_async(group, sum, out[13], add);
  cohort::reduce_store_async(group, sum, out[14], add);
  out[15] =
      cohort::inclusive_scan_update(group, sum, out[15], add) + cohort::inclusive_scan_update(group, sum, out[16]);
  out[17] =
      cohort::exclusive_scan_update(group, sum, out[17], add) + cohort::exclusive_scan_update(group, sum, out[18]);
}
template <class Group>
__device__ void each_shuffle(const Group& group, int* out) {
  out[0] = group.shfl(out[0], 1) + group.shfl_down(out[1], 1) + group.shfl_up(out[2], 1) + group.shfl_xor(out[3], 1);
  out[4] = group.any(out[4]) + group.all(out[5]);
}
template <class Group>
__device__ void each_lane_call(const Group& group, int* out) {
  int is_equal = 0;
  out[0] = static_cast<int>(group.ballot(out[0]) + group.match_any(out[1]) + group.match_all(out[2], is_equal));
  out[3] = is_equal + static_cast<int>(cg::binary_partition(group, out[3] != 0).size());
  out[4] = static_cast<int>(cg::labeled_partition(group, out[4]).size());
}
template <class Group>
__device__ void each_arrival(const Group& group) {
  auto token = group.barrier_arrive();
  group.barrier_wait(static_cast<decltype(token)&&>(token));
}
__global__ void call_each(int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const auto team = cg::tiled_partition<128>(block);
  const auto active = cg::coalesced_threads();
  each_call(block, out);
  each_call(tile, out);
  each_call(team, out);
  each_call(active, out);
  each_shuffle(tile, out);
  each_shuffle(team, out);
  each_shuffle(active, out);
  each_lane_call(tile, out);
  each_lane_call(active, out);
  each_arrival(block);
  each_arrival(team);
  each_arrival(cg::this_grid());
  cg::thread_group(tile).sync();
}
[[maybe_unused]] void (*const kept)(int*) = call_each;
#endif

struct use {
  const char* name;
  void (*wrong)(int*);
  void (*right)(int*);
  unsigned blocks, threads, cluster;
  bool is_cooperative;
};
#define USE(name, ...) {#name, name<true>, name<false>, __VA_ARGS__}

const use uses[] = {
    USE(part_of_a_tile, 1, 50, 1, false),
    USE(returned_lane, 2, 32, 1, false),
    USE(two_collectives, 1, 64, 1, false),
    USE(two_lines, 1, 64, 1, false),
    USE(two_lines_of_a_barrier, 1, 32, 1, false),
    USE(old_coalesced_group, 1, 32, 1, false),
    USE(group_of_other_lanes, 1, 32, 1, false),
    USE(group_of_another_warp, 1, 50, 1, false),
    USE(two_groups, 1, 32, 1, false),
    USE(reduce_in_half_a_tile, 1, 96, 1, false),
    USE(two_matches, 1, 27, 1, false),
    USE(uneven_loops, 1, 32, 1, false),
    USE(swapped_order, 3, 32, 1, false),
    USE(partition_in_a_branch, 1, 32, 1, false),
    USE(any_group, 1, 48, 1, false),
    USE(shuffle_before_the_barrier, 1, 96, 1, false),
    USE(tile_and_block, 1, 160, 1, false),
    USE(returned_warp, 1, 128, 1, false),
    USE(two_collectives_of_a_tile, 1, 128, 1, false),
    USE(warp_instead_of_tile, 1, 64, 1, false),
    USE(two_reductions_of_a_tile, 1, 640, 1, false),
    USE(split_tile, 1, 64, 1, false),
    USE(barrier_and_reduction, 1, 80, 1, false),
    USE(reduction_without_a_warp, 1, 70, 1, false),
    USE(one_broadcasts, 1, 40, 1, false),
    USE(barrier_without_a_thread, 1, 64, 1, false),
    USE(grid_without_thread_0, 3, 64, 1, true),
    USE(grid_or_block, 2, 64, 1, true),
    USE(grid_without_a_block, 4, 64, 1, true),
    USE(grid_arrival_of_a_block, 3, 96, 1, true),
    USE(cluster_without_a_block, 4, 64, 2, false),
    USE(cluster_or_reduction, 4, 64, 2, false),
    USE(cluster_or_grid, 4, 64, 2, true),
};

cudaError_t launch(const use& use, bool is_wrong, int* out) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(use.blocks);
  config.blockDim = dim3(use.threads);
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = use.is_cooperative ? 1 : 0;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = use.cluster;
  attributes[1].val.clusterDim.y = 1;
  attributes[1].val.clusterDim.z = 1;
  config.attrs = attributes;
  config.numAttrs = use.cluster > 1 ? 2 : 1;
  void* arguments[] = {&out};
  const cudaError_t error =
      cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(is_wrong ? use.wrong : use.right), arguments);
  return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

}  // namespace

int main(int count, char** arguments) {
  for (const use& use : uses) {
    if (count == 2) puts(use.name);
    if (count != 3 || strcmp(arguments[1], use.name) != 0) continue;
    int* out = nullptr;
    const unsigned threads = use.blocks * use.threads;
    if (cudaMallocManaged(reinterpret_cast<void**>(&out), threads * sizeof(int)) != cudaSuccess) return 2;
    memset(out, 0, threads * sizeof(int));
    const cudaError_t error = launch(use, strcmp(arguments[2], "wrong") == 0, out);
    if (error != cudaSuccess) {
      printf("%s\n", cudaGetErrorName(error));
      return 1;
    }
    for (unsigned i = 0; i < threads; ++i) {
      if (out[i] == 0) printf("thread %u has no result\n", i);
    }
    puts("cudaSuccess");
    return 0;
  }
  return count == 2 ? 0 : 2;
}
