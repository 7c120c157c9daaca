// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy_async of a group that only some of its threads call, or call with different arguments. `@case.x` marks the
// lines of a finding.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>

#include "cases.hpp"

namespace cg = cooperative_groups;

// Only the threads that need a value join the copy of the block.
template <bool wrong>
__global__ void half_of_block(const int* in, int* out) {
  __shared__ int part[50];
  const auto block = cg::this_thread_block();
  part[threadIdx.x] = 0;
  block.sync();
  if (!wrong || threadIdx.x < 25) cg::memcpy_async(block, part, in, sizeof part);  // @half.copy
  cg::wait(block);
  out[50 * blockIdx.x + threadIdx.x] = part[49 - threadIdx.x];
}
template <bool wrong>
void run_half() {
  half_of_block<wrong><<<3, 50>>>(device_numbers<int>(50), device_array<int>(150));
}

// Each thread passes an address of its own, as if it copied alone.
template <bool wrong>
__global__ void own_addresses(const int* in, int* out) {
  __shared__ int part[64];
  const auto block = cg::this_thread_block();
  const int first = wrong ? threadIdx.x : 0;
  cg::memcpy_async(block, part + first, in + first, wrong ? sizeof(int) : sizeof part);  // @own.copy
  cg::wait(block);
  if (!wrong || threadIdx.x == 0) out[threadIdx.x] = part[threadIdx.x];
}
template <bool wrong>
void run_own() {
  own_addresses<wrong><<<1, 64>>>(device_numbers<int>(64), device_array<int>(64));
}

// Two arms of a branch copy from two arrays.
template <bool wrong>
__global__ void two_sources(const int* a, const int* b, int* out) {
  __shared__ int part[2][96];
  const auto block = cg::this_thread_block();
  for (int* each : part) each[threadIdx.x] = 0;
  block.sync();
  if (!wrong || threadIdx.x < 40) cg::memcpy_async(block, part[0], a, sizeof part[0]);   // @arms.a
  if (!wrong || threadIdx.x >= 40) cg::memcpy_async(block, part[1], b, sizeof part[1]);  // @arms.b
  cg::wait(block);
  out[threadIdx.x] = part[0][threadIdx.x] + part[1][threadIdx.x];
}
template <bool wrong>
void run_arms() {
  two_sources<wrong><<<1, 96>>>(device_numbers<int>(96), device_numbers<int>(96), device_array<int>(96));
}

// Lanes without work leave the tile's loop one iteration early, and then wait with the other lanes.
template <bool wrong>
__global__ void rows(const int* in, int n, int* out) {
  __shared__ int part[4][16];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int row = tile.meta_group_rank();
  part[row][tile.thread_rank()] = 0;
  tile.sync();
  for (int i = row; i < n; i += 4) {
    if (!wrong || i + 4 < n || tile.thread_rank() < 9) {
      cg::memcpy_async(tile, part[row], in + 16 * i, 16 * sizeof(int));  // @tile.copy
    }
    cg::wait(tile);
    out[16 * i + tile.thread_rank()] = part[row][15 - tile.thread_rank()];
    tile.sync();
  }
}
template <bool wrong>
void run_tile() {
  rows<wrong><<<1, 64>>>(device_numbers<int>(160), 10, device_array<int>(160));
}

// Threads beyond the end return before the copy of their block.
template <bool wrong>
__global__ void early_exit(const int* in, int n, int* out) {
  __shared__ int part[64];
  const auto block = cg::this_thread_block();
  const int i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = 0;
  block.sync();
  if (wrong && i >= n) return;
  const int left = n - static_cast<int>(blockIdx.x) * 64;
  cg::memcpy_async(block, part, in + blockIdx.x * 64, (left < 64 ? left : 64) * sizeof(int));  // @exit.copy
  cg::wait(block);
  if (i < n) out[i] = part[threadIdx.x];
}
template <bool wrong>
void run_exit() {
  early_exit<wrong><<<2, 64>>>(device_numbers<int>(100), 100, device_array<int>(100));
}

// libcu++'s memcpy_async for a group: only one thread starts the copy of its block.
template <bool wrong>
__global__ void with_barrier(const int* in, int* out) {
  __shared__ int part[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&ready, block.size());
  block.sync();
  if (!wrong || threadIdx.x == 0) cuda::memcpy_async(block, part, in, sizeof part, ready);  // @leader.copy
  ready.arrive_and_wait();
  out[threadIdx.x] = part[threadIdx.x];
}
template <bool wrong>
void run_leader() {
  with_barrier<wrong><<<1, 64>>>(device_numbers<int>(64), device_array<int>(64));
}

// Copies by groups of a part of the block, and copies by a single thread, are correct.
template <bool wrong>
__global__ void parts(const int* in, int* out) {
  __shared__ int part[96];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  part[threadIdx.x] = 0;
  block.sync();
  if (warp.meta_group_rank() == 1) cg::memcpy_async(warp, part + 32, in + 32, 32 * sizeof(int));
  const auto odd = cg::binary_partition(warp, threadIdx.x % 2 != 0);
  if (threadIdx.x % 2 != 0 && threadIdx.x < 32) cg::memcpy_async(odd, part, in, 8);
  if (threadIdx.x < 7) {
    const auto some = cg::coalesced_threads();
    cg::memcpy_async(some, part + 80, in + 80, 4);
  }
  if (!wrong || threadIdx.x != 95) cg::memcpy_async(block, part + 90, in + 90, 24);  // @parts.copy
  cg::wait(block);
  out[threadIdx.x] = part[threadIdx.x];
}
template <bool wrong>
void run_parts() {
  parts<wrong><<<1, 96>>>(device_numbers<int>(96), device_array<int>(96));
}

#define CASE(name) {#name, run_##name<true>, run_##name<false>}
const planted_case cases[] = {CASE(half), CASE(own), CASE(arms), CASE(tile), CASE(exit), CASE(leader), CASE(parts)};
int main(int words, char** word) { return run_case(cases, words, word); }
