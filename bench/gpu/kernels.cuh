// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured operations, written once in the interface that both headers share. cohort.cu and nvidia.cu include this
// file with their own <cooperative_groups.h>.
//
// Each operation is a struct with a function `step`; each call depends on the result of the previous one.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>

#include "launch.cuh"

namespace cg = cooperative_groups;

namespace {

template <unsigned Size>
__device__ auto tile_of() {
  return cg::tiled_partition<Size>(cg::this_thread_block());
}

struct block_group {
  static constexpr unsigned lanes = ~0u;
  static __device__ auto make() { return cg::this_thread_block(); }
};
template <unsigned Size>
struct tile_group {
  static constexpr unsigned lanes = ~0u;
  static __device__ auto make() {
#if defined(BENCH_NVIDIA)
    if constexpr (Size > 32) {
      __shared__ cg::block_tile_memory<1024> memory;
      return cg::tiled_partition<Size>(cg::this_thread_block(memory));
    } else
#endif
      return cg::tiled_partition<Size>(cg::this_thread_block());
  }
};
template <unsigned Mask>
struct coalesced {
  static constexpr unsigned lanes = Mask;
  static __device__ auto make() { return cg::coalesced_threads(); }
};
struct cluster {
  static constexpr unsigned lanes = ~0u;
  static __device__ auto make() { return cg::this_cluster(); }
};

// Differs from lane to lane: compilers omit exchanges of values that are provably equal in all lanes.
__device__ float odd() { return static_cast<float>(threadIdx.x % 2); }

// Defines an operation on a group and a value.
#define OPERATION(name, type, ...)                                 \
  struct name {                                                    \
    using value = type;                                            \
    template <class Group>                                         \
    static __device__ type step(const Group& g, type v, int arg) { \
      (void)arg;                                                   \
      __VA_ARGS__                                                  \
    }                                                              \
  };

OPERATION(sync_op, int, {
  g.sync();
  return v + 1;
})
OPERATION(shfl_uniform, int, { return g.shfl(v, arg) + 1; })
OPERATION(shfl_uniform_float, float, { return g.shfl(v, arg) + 1; })
OPERATION(shfl_by_lane, int, { return g.shfl(v, (v + arg) & 15) + 1; })
OPERATION(shfl_down_one, int, { return g.shfl_down(v, 1) + 1; })
OPERATION(shfl_down_by_data, int, { return g.shfl_down(v, (v & 1) + arg) + 1; })
OPERATION(any_op, int, { return v + g.any(v > arg); })
OPERATION(all_op, int, { return v + g.all(v > arg); })
OPERATION(ballot_op, int, { return v + static_cast<int>(g.ballot(v & 1)); })
OPERATION(match_any_op, int, { return (v & 3) + static_cast<int>(g.match_any(v & 3)); })
OPERATION(reduce_int, int, { return cg::reduce(g, v, cg::plus<int>()) + 1; })
OPERATION(reduce_int_const, int, {
  const cg::plus<int> add{};
  return cg::reduce(g, v, add) + 1;
})
OPERATION(reduce_float, float, { return cg::reduce(g, v, cg::plus<float>()) + odd(); })
OPERATION(reduce_less_float, float, { return cg::reduce(g, v, cg::less<float>()) + 1; })
using wide = long long;
OPERATION(reduce_add64, wide, { return cg::reduce(g, v, cg::plus<wide>()) + 1; })
OPERATION(reduce_min64, wide, { return cg::reduce(g, v, cg::less<wide>()) + 1; })
OPERATION(reduce_max64, wide, { return cg::reduce(g, v, cg::greater<wide>()) + 1; })
OPERATION(reduce_and64, wide, { return cg::reduce(g, v, cg::bit_and<wide>()) + 1; })
OPERATION(reduce_or64, wide, { return cg::reduce(g, v, cg::bit_or<wide>()) + 1; })
OPERATION(reduce_xor64, wide, { return cg::reduce(g, v, cg::bit_xor<wide>()) + 1; })
OPERATION(scan_int, int, { return cg::inclusive_scan(g, v, cg::plus<int>()) + 1; })
OPERATION(scan_float, float, { return cg::inclusive_scan(g, v, cg::plus<float>()) + 1; })
OPERATION(exclusive_float, float, { return cg::exclusive_scan(g, v, cg::plus<float>()) + 1; })
OPERATION(exclusive_int, int, { return cg::exclusive_scan(g, v, cg::plus<int>()) + 1; })
OPERATION(binary_part, int, { return v + static_cast<int>(cg::binary_partition(g, (v & 1) != 0).size()); })
OPERATION(labeled_part, int, { return v + static_cast<int>(cg::labeled_partition(g, v & 7).size()); })

template <class Maker, class Op>
__global__ void loop_of(typename Op::value* out, long long* cycles, int arg) {
  if constexpr (Maker::lanes != ~0u) {
    if ((Maker::lanes >> (threadIdx.x % 32) & 1u) == 0) return;
  }
  const auto group = Maker::make();
  auto value = out[blockIdx.x * blockDim.x + threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 8; ++i) value = Op::step(group, value, arg);
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) value = Op::step(group, value, arg);
  const long long end = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = end - begin;
}

template <class Maker, class Op, int Threads, int Blocks = 1, int Cluster = 0>
double loop() {
  return cycles_of(reinterpret_cast<const void*>(&loop_of<Maker, Op>), Blocks, Threads, Cluster, false, 1);
}

template <int Blocks, int Threads>
__global__ __launch_bounds__(Threads, (Blocks + 131) / 132) void grid_loop(int*, long long* cycles, int) {
  const auto grid = cg::this_grid();
  for (int i = 0; i < 8; ++i) grid.sync();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) grid.sync();
  const long long end = clock64();
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = end - begin;
}
template <int Blocks, int Threads>
__global__ __launch_bounds__(Threads, (Blocks + 131) / 132) void grid_split_loop(int*, long long* cycles, int) {
  const auto grid = cg::this_grid();
  for (int i = 0; i < 8; ++i) grid.sync();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) grid.barrier_wait(grid.barrier_arrive());
  const long long end = clock64();
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = end - begin;
}
template <int Blocks, int Threads>
double grid_split_phase() {
  return cycles_of(reinterpret_cast<const void*>(&grid_split_loop<Blocks, Threads>), Blocks, Threads, 0, true, 1);
}
template <int Blocks, int Threads>
double grid_sync() {
  return cycles_of(reinterpret_cast<const void*>(&grid_loop<Blocks, Threads>), Blocks, Threads, 0, true, 1);
}

// Copies 16 KiB from global to shared memory in each step. Without `Others` the source stays the same and is in the
// first-level cache; with `Others` each step copies other bytes, from the second level.
template <class T, bool Others>
__global__ void copy_loop(T* in, long long* cycles, int arg) {
  constexpr int bytes = 16384;
  __shared__ alignas(16) T buffer[bytes / sizeof(T)];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in, bytes - arg);
  cg::wait(block);
  const T* from = in;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    cg::memcpy_async(block, buffer, from, bytes - arg);
    cg::wait(block);
    if (Others) from += bytes / sizeof(T);
  }
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
  in[threadIdx.x] = buffer[threadIdx.x * 2];
}
// The distance of source and destination is a multiple of 4 bytes and of no larger power of two.
__global__ void unaligned_copy_loop(char* in, long long* cycles, int arg) {
  constexpr int bytes = 16384;
  __shared__ alignas(16) char buffer[bytes + 16];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer + 4, in, bytes - arg);
  cg::wait(block);
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    cg::memcpy_async(block, buffer + 4, in, bytes - arg);
    cg::wait(block);
  }
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = end - begin;
  in[threadIdx.x] = buffer[threadIdx.x * 2];
}
inline double unaligned_copy() {
  return cycles_of(reinterpret_cast<const void*>(&unaligned_copy_loop), 1, 256, 0, false, 0);
}
template <class T, bool Others>
double copy() {
  return cycles_of(reinterpret_cast<const void*>(&copy_loop<T, Others>), 1, 256, 0, false, 0);
}

// The 1056 tiles of 132 blocks add to one address, 32 times each. Measures the time of the launch.
template <class T>
__global__ void update_loop(T* out, long long* cycles, int) {
  const auto tile = tile_of<32>();
  cuda::atomic_ref<T, cuda::thread_scope_device> sum(out[0]);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < 32; ++i) cg::reduce_update_async(tile, sum, static_cast<T>(1), cg::plus<T>());
  __syncthreads();
  const long long end = clock64();
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = (end - begin) * (steps / 32);
}
template <class T>
double update() {
  return microseconds_of(reinterpret_cast<const void*>(&update_loop<T>), 132, 256);
}

constexpr unsigned even = 0x55555555u, scattered = 0x0f3c96a5u;

template <template <unsigned> class Group, unsigned N>
void add_coalesced(std::vector<row>& rows, const char* const* names) {
  using g = Group<N>;
  rows.push_back({names[0], "cycles", 0.11, &loop<g, reduce_float, 32>});
  rows.push_back({names[1], "cycles", 0.11, &loop<g, scan_int, 32>});
  rows.push_back({names[2], "cycles", 0.11, &loop<g, scan_float, 32>});
  rows.push_back({names[3], "cycles", 0.45, &loop<g, shfl_by_lane, 32>});
  rows.push_back({names[4], "cycles", 0.5, &loop<g, shfl_down_by_data, 32>});
  rows.push_back({names[5], "cycles", 0.2, &loop<g, ballot_op, 32>});
  rows.push_back({names[6], "cycles", 0.3, &loop<g, match_any_op, 32>});
}

template <unsigned Size>
void add_team(std::vector<row>& rows, const char* const* names, double sync_bar) {
  using g = tile_group<Size>;
  rows.push_back({names[0], "cycles", sync_bar, &loop<g, sync_op, 1024>});
  rows.push_back({names[1], "cycles", 0.36, &loop<g, reduce_float, 1024>});
  rows.push_back({names[2], "cycles", 0.36, &loop<g, scan_float, 1024>});
  rows.push_back({names[3], "cycles", 0.36, &loop<g, shfl_uniform_float, 1024>});
  rows.push_back({names[4], "cycles", 0.36, &loop<g, any_op, 1024>});
}

#define COALESCED_NAMES(mask)                                                                             \
  {"coalesced " mask ": reduce float", "coalesced " mask ": scan int",  "coalesced " mask ": scan float", \
   "coalesced " mask ": shfl by lane", "coalesced " mask ": shfl_down", "coalesced " mask ": ballot",     \
   "coalesced " mask ": match_any"}
#define TEAM_NAMES(size)                                                                                      \
  {"tile " size " of 1024: sync", "tile " size " of 1024: reduce float", "tile " size " of 1024: scan float", \
   "tile " size " of 1024: shfl", "tile " size " of 1024: any"}

std::vector<row> common_rows() {
  std::vector<row> rows = {
      {"block 256: sync", "cycles", 1.02, &loop<block_group, sync_op, 256>},
      {"block 1024: sync", "cycles", 1.02, &loop<block_group, sync_op, 1024>},
      {"tile 32: sync", "cycles", 1.02, &loop<tile_group<32>, sync_op, 32>},
      {"tile 32: shfl", "cycles", 1.02, &loop<tile_group<32>, shfl_uniform, 32>},
      {"tile 32: shfl by lane", "cycles", 1.02, &loop<tile_group<32>, shfl_by_lane, 32>},
      {"tile 32: shfl_down(1)", "cycles", 1.02, &loop<tile_group<32>, shfl_down_one, 32>},
      {"tile 8: shfl", "cycles", 1.02, &loop<tile_group<8>, shfl_uniform, 32>},
      {"tile 32: any", "cycles", 1.02, &loop<tile_group<32>, any_op, 32>},
      {"tile 32: ballot", "cycles", 1.02, &loop<tile_group<32>, ballot_op, 32>},
      {"tile 8: ballot", "cycles", 1.02, &loop<tile_group<8>, ballot_op, 32>},
      {"tile 32: match_any", "cycles", 1.02, &loop<tile_group<32>, match_any_op, 32>},
      {"tile 32: reduce int", "cycles", 1.02, &loop<tile_group<32>, reduce_int, 32>},
      {"tile 32: reduce float", "cycles", 1.02, &loop<tile_group<32>, reduce_float, 32>},
      {"tile 32: reduce less float", "cycles", 1.35, &loop<tile_group<32>, reduce_less_float, 32>},
      {"tile 32: scan int", "cycles", 1.02, &loop<tile_group<32>, scan_int, 32>},
      {"tile 32: scan float", "cycles", 1.02, &loop<tile_group<32>, scan_float, 32>},
      {"tile 32: exclusive scan float", "cycles", 1.02, &loop<tile_group<32>, exclusive_float, 32>},
      {"tile 32: exclusive scan int", "cycles", 1.02, &loop<tile_group<32>, exclusive_int, 32>},
      {"tile 32 of 40: reduce float", "cycles", 1.2, &loop<tile_group<32>, reduce_float, 40>},
      {"tile 8: scan int", "cycles", 1.02, &loop<tile_group<8>, scan_int, 32>},
      {"tile 32: binary partition", "cycles", 1.02, &loop<tile_group<32>, binary_part, 32>},
      {"tile 32: labeled partition", "cycles", 1.02, &loop<tile_group<32>, labeled_part, 32>},
      {"cluster of 4 x 256: sync", "cycles", 1.02, &loop<cluster, sync_op, 256, 4, 4>},
      {"tile 32: reduce int, const op", "cycles", 0.8, &loop<tile_group<32>, reduce_int_const, 32>},
      {"tile 8: reduce int", "cycles", 0.8, &loop<tile_group<8>, reduce_int, 32>},
      {"tile 32: reduce 64-bit add", "cycles", 0.8, &loop<tile_group<32>, reduce_add64, 32>},
      {"tile 32: reduce 64-bit min", "cycles", 0.8, &loop<tile_group<32>, reduce_min64, 32>},
      {"tile 32: reduce 64-bit max", "cycles", 0.8, &loop<tile_group<32>, reduce_max64, 32>},
      {"tile 32: reduce 64-bit and", "cycles", 0.8, &loop<tile_group<32>, reduce_and64, 32>},
      {"tile 32: reduce 64-bit or", "cycles", 0.8, &loop<tile_group<32>, reduce_or64, 32>},
      {"tile 32: reduce 64-bit xor", "cycles", 0.8, &loop<tile_group<32>, reduce_xor64, 32>},
  };
  static const char* const even_names[] = COALESCED_NAMES("0x55555555");
  static const char* const scattered_names[] = COALESCED_NAMES("0x0f3c96a5");
  static const char* const names_64[] = TEAM_NAMES("64");
  static const char* const names_128[] = TEAM_NAMES("128");
  static const char* const names_256[] = TEAM_NAMES("256");
  static const char* const names_512[] = TEAM_NAMES("512");
  add_coalesced<coalesced, even>(rows, even_names);
  add_coalesced<coalesced, scattered>(rows, scattered_names);
  add_team<64>(rows, names_64, 0.2);
  add_team<128>(rows, names_128, 0.085);
  add_team<256>(rows, names_256, 0.085);
  add_team<512>(rows, names_512, 0.085);
  rows.push_back({"tile 64 of 256: sync", "cycles", 0.13, &loop<tile_group<64>, sync_op, 256>});
  rows.push_back({"tile 64 of 256: reduce float", "cycles", 0.4, &loop<tile_group<64>, reduce_float, 256>});
  rows.push_back({"tile 64 of 256: scan float", "cycles", 0.55, &loop<tile_group<64>, scan_float, 256>, 330});
  rows.push_back(
      {"tile 64 of 256: exclusive scan float", "cycles", 0, &loop<tile_group<64>, exclusive_float, 256>, 540});
  rows.push_back({"grid sync, 132 x 256", "cycles", 0.95, &grid_sync<132, 256>});
  rows.push_back({"grid sync, 264 x 1024", "cycles", 0.95, &grid_sync<264, 1024>});
  rows.push_back({"grid sync, 1056 x 256", "cycles", 0.75, &grid_sync<1056, 256>});
  rows.push_back({"grid split-phase sync, 132 x 256", "cycles", 1.02, &grid_split_phase<132, 256>});
  rows.push_back({"reduce_update_async plus<float>, 1056 tiles", "us", 0.5, &update<float>});
  rows.push_back({"reduce_update_async plus<double>, 1056 tiles", "us", 0.5, &update<double>});
  rows.push_back({"memcpy_async int*, 16 KiB by 256", "cycles", 0.7, &copy<int, false>});
  rows.push_back({"memcpy_async char*, 16 KiB by 256", "cycles", 0.7, &copy<char, false>});
  rows.push_back({"memcpy_async int*, other 16 KiB by 256", "cycles", 1.02, &copy<int, true>});
  rows.push_back({"memcpy_async char*, other 16 KiB by 256", "cycles", 1.02, &copy<char, true>});
  rows.push_back({"memcpy_async char*, 4 bytes off, by 256", "cycles", 1.65, &unaligned_copy});
  return rows;
}

}  // namespace
