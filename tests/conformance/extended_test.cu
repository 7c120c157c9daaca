// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cohort's wider rules, for uses that the guide forbids or leaves undefined. Other implementations need not compile
// this file.
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

#include "conformance.hpp"
#include "operators.hpp"

namespace {

using namespace conformance;

// Partial tiles at the end of a block: they report their full size, and their live threads participate.
struct cut {
  unsigned int num_threads, rank, meta_rank, meta_size, ballot, reduced, inclusive, missing;
  int all, any;
};

template <class Tile>
__device__ cut look_at(const Tile& tile, unsigned int value) {
  cut c;
  c.num_threads = tile.num_threads();
  c.rank = tile.thread_rank();
  c.meta_rank = tile.meta_group_rank();
  c.meta_size = tile.meta_group_size();
  c.all = tile.all(1);
  c.any = tile.any(0);
  c.missing = tile.shfl(value | 1u, static_cast<int>(tile.size() - 1));
  c.reduced = cg::reduce(tile, value, trace());
  c.inclusive = cg::inclusive_scan(tile, value, cg::plus<unsigned int>());
  tile.sync();
  return c;
}
template <unsigned int Size>
__global__ void cut_tiles(cut* out) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  out[me] = look_at(cg::tiled_partition<Size>(block), me * 2654435761u);
}

template <unsigned int Size>
void check_cut(extent block) {
  SCOPED_TRACE("tile<" + std::to_string(Size) + "> in " + text(block));
  const unsigned int threads = static_cast<unsigned int>(block.count());
  memory<cut> out(threads);
  run({1}, block, cut_tiles<Size>, out.data());
  for (const model::group& tile : model::tiles(model::whole_block(threads), Size)) {
    std::vector<unsigned int> values;
    for (unsigned int member : tile.members) values.push_back(member * 2654435761u);
    const unsigned int reduced = model::tree(values, trace());
    const std::vector<unsigned int> inclusive = model::inclusive(values, std::plus<unsigned int>());
    for (unsigned int r = 0; r < tile.size(); ++r) {
      const cut& c = out[tile.members[r]];
      ASSERT_EQ(c.num_threads, Size);
      ASSERT_EQ(c.rank, r);
      ASSERT_EQ(c.meta_rank, tile.index);
      ASSERT_EQ(c.meta_size, tile.count);
      ASSERT_EQ(c.all, 1);
      ASSERT_EQ(c.any, 0);
      if (tile.size() == Size) {
        ASSERT_EQ(c.missing, values[Size - 1] | 1u);
      } else if (Size > 32 || gives_zeros_for_missing_lanes().is_there) {
        ASSERT_EQ(c.missing, 0u);
      }
      ASSERT_EQ(c.reduced, reduced);
      ASSERT_EQ(c.inclusive, inclusive[r]);
    }
  }
}

TEST(Extended, TilesThatTheEndOfTheBlockCuts) {
  CONFORMS("C.5.1.3", "C.5.1.6", "C.4.2.1.2", "D.9");
  for (extent block : {extent{1}, extent{7}, extent{40}, extent{5, 3, 7}, extent{1000}}) {
    check_cut<2>(block);
    check_cut<8>(block);
    check_cut<32>(block);
    check_cut<64>(block);
    check_cut<256>(block);
    check_cut<1024>(block);
  }
}

// Shuffles of large tiles: any source for each thread, up, down and xor; values of more than 8 and 32 bytes.
template <unsigned int Size, std::size_t Bytes>
__global__ void shuffle_big(sized<Bytes>* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned int me = threadIdx.x, rank = tile.thread_rank();
  const auto mine = sized<Bytes>::of(me);
  out[5 * me] = tile.shfl(mine, static_cast<int>((rank * 7 + 3) % Size));
  out[5 * me + 1] = tile.shfl_up(mine, 40);
  out[5 * me + 2] = tile.shfl_down(mine, 33);
  out[5 * me + 3] = tile.shfl_xor(mine, Size / 2 + 1);
  out[5 * me + 4] = tile.shfl(mine, -1);
}
template <unsigned int Size, std::size_t Bytes>
void check_big() {
  SCOPED_TRACE("tile<" + std::to_string(Size) + ">, " + std::to_string(Bytes) + " bytes");
  memory<sized<Bytes>> out(5 * 512);
  run({1}, {512}, shuffle_big<Size, Bytes>, out.data());
  for (unsigned int me = 0; me < 512; ++me) {
    const unsigned int r = me % Size, first = me - r;
    const unsigned int from[] = {(r * 7 + 3) % Size, r >= 40 ? r - 40 : r, r + 33 < Size ? r + 33 : r,
                                 r ^ (Size / 2 + 1), Size - 1};
    for (unsigned int k = 0; k < 5; ++k) {
      ASSERT_TRUE(out[5 * me + k] == sized<Bytes>::of(first + from[k])) << "thread " << me << ", shuffle " << k;
    }
  }
}

TEST(Extended, ShufflesOfLargeTiles) {
  CONFORMS("C.4.2.1.3.4", "C.4.2.1.3.10", "C.4.2.1.17");
  check_big<64, 4>();
  check_big<64, 12>();
  check_big<128, 40>();
  check_big<512, 8>();
  check_big<512, 100>();
}

// Shuffles of more than 32 bytes, by distances of 32 and more, and a coalesced group's shfl_xor.
template <std::size_t Bytes>
__global__ void shuffle_wide(sized<Bytes>* tiles, sized<Bytes>* coalesced) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto mine = sized<Bytes>::of(me);
  auto tile = cg::tiled_partition<16>(block);
  tiles[4 * me] = tile.shfl(mine, 5);
  tiles[4 * me + 1] = tile.shfl_up(mine, 33);
  tiles[4 * me + 2] = tile.shfl_down(mine, 100);
  tiles[4 * me + 3] = tile.shfl_xor(mine, 10);
  if (me % 32 % 3 == 0) {  // 11 threads of a warp
    cg::coalesced_group some = cg::coalesced_threads();
    coalesced[3 * me] = some.shfl(mine, 10);
    coalesced[3 * me + 1] = some.shfl_xor(mine, 1);
    coalesced[3 * me + 2] = some.shfl_xor(mine, 4);
  }
}
template <std::size_t Bytes>
void check_wide() {
  SCOPED_TRACE(Bytes);
  memory<sized<Bytes>> tiles(4 * 64), coalesced(3 * 64);
  run({1}, {64}, shuffle_wide<Bytes>, tiles.data(), coalesced.data());
  for (unsigned int me = 0; me < 64; ++me) {
    const unsigned int first = me - me % 16;
    const unsigned int from[] = {first + 5, me, me, first + (me % 16 ^ 10)};
    for (unsigned int k = 0; k < 4; ++k) ASSERT_TRUE(tiles[4 * me + k] == sized<Bytes>::of(from[k])) << me << ", " << k;
    if (me % 32 % 3 != 0) continue;
    const unsigned int rank = me % 32 / 3, warp = me - me % 32;
    ASSERT_TRUE(coalesced[3 * me] == sized<Bytes>::of(warp + 30)) << me;
    for (unsigned int k = 1; k < 3; ++k) {
      const unsigned int other = rank ^ (k == 1 ? 1 : 4);
      ASSERT_TRUE(coalesced[3 * me + k] == sized<Bytes>::of(warp + 3 * (other < 11 ? other : rank))) << me << ", " << k;
    }
  }
}

TEST(Extended, ShufflesOfMoreThan32Bytes) {
  CONFORMS("C.4.2.1.17", "C.4.2.2.11");
  check_wide<4>();
  check_wide<33>();
  check_wide<64>();
  check_wide<200>();
}

// Reductions and scans of every group, with an operator that is not commutative and values of 8 and 48 bytes.
template <class T, class Group>
__device__ void collect(const Group& group, unsigned long long index, T* out) {
  const T mine = T::of(static_cast<unsigned int>(index));
  out[3 * index] = cg::reduce(group, mine, typename T::then());
  out[3 * index + 1] = cg::inclusive_scan(group, mine, typename T::then());
  out[3 * index + 2] = cg::exclusive_scan(group, mine, typename T::then());
}
template <class T>
__global__ void in_warps(T* out) {
  collect(cg::tiled_partition<32>(cg::this_thread_block()), cg::this_grid().thread_rank(), out);
}
template <class T>
__global__ void in_coalesced(T* out) {
  if (threadIdx.x % 2 == 0) {
    collect(cg::coalesced_threads(), cg::this_grid().thread_rank(), out);
  } else {
    collect(cg::coalesced_threads(), cg::this_grid().thread_rank(), out);
  }
}
template <class T>
__global__ void in_large_tiles(T* out) {
  collect(cg::tiled_partition<128>(cg::this_thread_block()), cg::this_grid().thread_rank(), out);
}
template <class T>
__global__ void in_block(T* out) {
  collect(cg::this_thread_block(), cg::this_grid().thread_rank(), out);
}
template <class T>
__global__ void in_grid(cohort::grid_workspace workspace, T* out) {
  collect(cohort::this_grid(workspace), cg::this_grid().thread_rank(), out);
}

template <class T>
void check_members(const std::vector<unsigned int>& members, const memory<T>& out) {
  T total{};
  for (std::size_t r = 0; r < members.size(); ++r) {
    const T before = total;
    const T mine = T::of(members[r]);
    total = r == 0 ? mine : typename T::then()(total, mine);
    ASSERT_TRUE(out[3 * members[r] + 1] == total) << "inclusive_scan, rank " << r;
    if (r > 0) {
      ASSERT_TRUE(out[3 * members[r] + 2] == before) << "exclusive_scan, rank " << r;
    }
  }
  for (unsigned int member : members) ASSERT_TRUE(out[3 * member] == total) << "reduce, thread " << member;
}

// Groups are `size` consecutive threads; with step 2, the even and the odd ones of these form two groups.
template <class T>
void check_groups(unsigned int threads, unsigned int block, unsigned int size, unsigned int step,
                  const memory<T>& out) {
  for (unsigned int first = 0; first < threads;) {
    const unsigned int end = std::min((first / block + 1) * block, first + size);
    for (unsigned int odd = 0; odd < step; ++odd) {
      std::vector<unsigned int> members;
      for (unsigned int t = first; t < end; ++t) {
        if (t % step == odd) members.push_back(t);
      }
      if (!members.empty()) check_members(members, out);
    }
    first = end;
  }
}

template <class T>
void check_levels() {
  for (unsigned int block : {64u, 200u}) {
    SCOPED_TRACE(block);
    const unsigned int threads = 3 * block;
    memory<T> out(3 * threads);
    run({3}, {block}, in_warps<T>, out.data());
    check_groups(threads, block, 32, 1, out);
    run({3}, {block}, in_coalesced<T>, out.data());
    check_groups(threads, block, 32, 2, out);
    run({3}, {block}, in_large_tiles<T>, out.data());
    check_groups(threads, block, 128, 1, out);
    run({3}, {block}, in_block<T>, out.data());
    check_groups(threads, block, block, 1, out);
    for (int round = 0; round < 2; ++round) {
      const cohort::error e = cohort::launch_cooperative(cohort::dim3(3), cohort::dim3(block), in_grid<T>, out.data());
      ASSERT_FALSE(e) << cohort::message(e);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      check_groups(threads, threads, threads, 1, out);
    }
  }
}

TEST(Extended, ReductionsAndScansOfEveryGroup) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3", "D.7");
  check_levels<affine>();
}

TEST(Extended, ReductionsAndScansOfLargeValues) {
  CONFORMS("C.6.3.1.3", "C.6.3.3.3");
  check_levels<affine_wide>();
}

// The engine makes a copy at the latest moment that is allowed: a read before the wait returns the old bytes.
__global__ void read_too_early(const int* from, int* early, int* late) {
  __shared__ int shared[128];
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  shared[me] = -1;
  block.sync();
  cg::memcpy_async(block, shared, from, sizeof(shared));
  early[me] = shared[me];
  block.sync();  // orders all early reads before the wait
  cg::wait(block);
  late[me] = shared[127 - me];
}

TEST(Extended, ReadingBeforeTheWaitShows) {
  CONFORMS("C.6.2.1.5");
  NEEDS(copies_late);
  memory<int> from(128), early(128), late(128);
  for (int i = 0; i < 128; ++i) from[i] = 1000 + i;
  run({1}, {128}, read_too_early, static_cast<const int*>(from.data()), early.data(), late.data());
  for (int i = 0; i < 128; ++i) {
    ASSERT_EQ(early[i], -1) << i;
    ASSERT_EQ(late[i], 1000 + 127 - i) << i;
  }
}

// A deadlock: even threads wait for the odd threads of their tile, which wait for all threads of the block.
__global__ void never_together(int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  if (threadIdx.x % 2 == 0) {
    tile.sync();
  } else {
    block.sync();
  }
  out[threadIdx.x] = 1;
}
TEST(Extended, MissedCollectivesEndTheLaunch) {
  CONFORMS("C.4.1.1.10");
  NEEDS(ends_stuck_launches);
  IN_A_PROCESS_OF_ITS_OWN();
  int* out = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&out), 64 * sizeof(int)), cudaSuccess);
  never_together<<<1, 64>>>(out);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

__global__ void some_leave(int* out) {
  if (threadIdx.x % 3 == 0) return;
  cg::this_thread_block().sync();
  out[threadIdx.x] = 1;
}

TEST(Extended, TheBlockDoesNotWaitForThreadsThatReturned) {
  CONFORMS("C.4.1.1.10");
  memory<int> out(96);
  out.fill(0);
  run({1}, {96}, some_leave, out.data());
  for (int t = 0; t < 96; ++t) ASSERT_EQ(out[t], t % 3 != 0) << t;
}

}  // namespace
