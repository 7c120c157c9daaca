// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The correct behaviour where the headers of CUDA 13.0 have defects: section D of statements.txt. Some of these tests
// do not compile or link with those headers. Other tests of section D: D.1 and D.10 in grid_test.cu, D.4 and D.5 in
// memcpy_async_test.cu, D.15 and D.16 in big_tile_test.cu, errors of the compiler in promises.txt.
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>
#include <limits>

#include "conformance.hpp"
#include "operators.hpp"

namespace {

using namespace conformance;

__global__ void sizes_of_thread_groups(unsigned long long* out) {
  cg::thread_block block = cg::this_thread_block();
  const cg::thread_group groups[] = {block, cg::this_grid(), cg::tiled_partition<8>(block), cg::this_thread(),
                                     cg::tiled_partition(block, 16)};
  unsigned long long* mine = out + 15 * cg::this_grid().thread_rank();
  for (int i = 0; i < 5; ++i) {
    mine[3 * i] = groups[i].num_threads();
    mine[3 * i + 1] = groups[i].size();
    mine[3 * i + 2] = cg::group_size(groups[i]);
  }
}

TEST(HeaderDefects, SizesOfThreadGroups) {
  CONFORMS("D.2");
  memory<unsigned long long> out(2 * 48 * 15);
  run({2}, {48}, sizes_of_thread_groups, out.data());
  const unsigned long long expected[] = {48, 96, 8, 1, 16};
  for (int t = 0; t < 96; ++t) {
    for (int i = 0; i < 15; ++i) ASSERT_EQ(out[15 * t + i], expected[i / 3]) << "thread " << t << ", value " << i;
  }
}

__global__ void assign(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  auto warp = cg::tiled_partition<32>(block);
  cg::coalesced_group group = cg::binary_partition(warp, me % 4 == 0);
  group = cg::labeled_partition(warp, static_cast<int>(me % 3));
  cg::grid_group grid = cg::this_grid();
  cg::grid_group other = cg::this_grid();
  other = grid;
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  cg::thread_block_tile<8> second = cg::tiled_partition<8>(warp);
  second = tile;
  unsigned int* mine = out + 5 * me;
  mine[0] = group.size();
  mine[1] = group.shfl(me, 0);
  mine[2] = static_cast<unsigned int>(other.thread_rank());
  mine[3] = second.meta_group_rank();
  mine[4] = second.meta_group_size();
}

TEST(HeaderDefects, AssignmentOfHandles) {
  CONFORMS("D.3");
  memory<unsigned int> out(5 * 64);
  run({1}, {64}, assign, out.data());
  for (unsigned int t = 0; t < 64; ++t) {
    const unsigned int warp = t - t % 32;
    unsigned int lowest = warp;
    unsigned int size = 0;
    for (unsigned int other = warp + 32; other-- > warp;) {
      if (other % 3 == t % 3) lowest = other, ++size;
    }
    const unsigned int expected[] = {size, lowest, t, t / 8, 8};
    for (int k = 0; k < 5; ++k) ASSERT_EQ(out[5 * t + k], expected[k]) << "thread " << t << ", value " << k;
  }
}

struct firsts {
  int plus, less, greater;
  unsigned int bit_and, bit_or, bit_xor;
  float least;
  int own;
};
struct subtract_from_nothing {
  __device__ int operator()(int a, int b) const { return a * 3 + b; }
};
__global__ void first_of_exclusive(firsts* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int v = static_cast<int>(threadIdx.x) + 100;
  firsts f;
  f.plus = cg::exclusive_scan(tile, v, cg::plus<int>());
  f.less = cg::exclusive_scan(tile, v, cg::less<int>());
  f.greater = cg::exclusive_scan(tile, -v, cg::greater<int>());
  f.bit_and = cg::exclusive_scan(tile, static_cast<unsigned int>(v), cg::bit_and<unsigned int>());
  f.bit_or = cg::exclusive_scan(tile, static_cast<unsigned int>(v), cg::bit_or<unsigned int>());
  f.bit_xor = cg::exclusive_scan(tile, static_cast<unsigned int>(v), cg::bit_xor<unsigned int>());
  f.least = cg::exclusive_scan(tile, 1.5f, cg::less<float>());
  f.own = cg::exclusive_scan(tile, v, subtract_from_nothing());
  out[threadIdx.x] = f;
}

TEST(HeaderDefects, RankZeroOfAnExclusiveScanGetsTheIdentity) {
  CONFORMS("D.6");
  memory<firsts> out(64);
  run({1}, {64}, first_of_exclusive, out.data());
  for (unsigned int t : {0u, 32u}) {
    EXPECT_EQ(out[t].plus, 0);
    EXPECT_EQ(out[t].less, std::numeric_limits<int>::max());
    EXPECT_EQ(out[t].greater, std::numeric_limits<int>::lowest());
    EXPECT_EQ(out[t].bit_and, ~0u);
    EXPECT_EQ(out[t].bit_or, 0u);
    EXPECT_EQ(out[t].bit_xor, 0u);
    EXPECT_EQ(out[t].least, std::numeric_limits<float>::max());
    EXPECT_EQ(out[t].own, 0);  // an operator without an identity element gives a value-initialised result
  }
  EXPECT_EQ(out[1].less, 100);
  EXPECT_EQ(out[33].greater, -132);
}

// The atomic holds 90 and the values are 100 and more: rank 0 must get the old value, in groups of all sizes.
template <unsigned int Size>
__global__ void update(int* totals, int* exclusive, int* inclusive) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  cuda::atomic_ref<int, cuda::thread_scope_device> first(totals[0]), second(totals[1]);
  const int v = 100 + static_cast<int>(tile.thread_rank());
  exclusive[threadIdx.x] = cg::exclusive_scan_update(tile, first, v, cg::less<int>());
  inclusive[threadIdx.x] = cg::inclusive_scan_update(tile, second, v, cg::plus<int>());
}
template <unsigned int Size>
void check_update() {
  SCOPED_TRACE(Size);
  memory<int> totals(2), exclusive(Size), inclusive(Size);
  totals.fill(90);
  run({1}, {Size}, update<Size>, totals.data(), exclusive.data(), inclusive.data());
  int sum = 90;
  for (unsigned int t = 0; t < Size; ++t) {
    sum += 100 + static_cast<int>(t);
    ASSERT_EQ(exclusive[t], 90) << t;
    ASSERT_EQ(inclusive[t], sum) << t;
  }
  EXPECT_EQ(totals[0], 90);
  EXPECT_EQ(totals[1], sum);
}

TEST(HeaderDefects, ScanUpdatesOfAllSizes) {
  CONFORMS("D.6", "D.7");
  check_update<1>();
  check_update<16>();
  check_update<32>();
  check_update<64>();
  check_update<256>();
}

// A non-commutative operator: all threads must get one result, combined in the order of the ranks.
template <unsigned int Size>
__global__ void in_order(affine* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const affine mine = affine::of(threadIdx.x);
  affine* to = out + 4 * threadIdx.x;
  to[0] = cg::reduce(tile, mine, affine::then());
  to[1] = cg::inclusive_scan(tile, mine, affine::then());
  to[2] = cg::exclusive_scan(tile, mine, affine::then());
  auto first = [](const affine& a, const affine&) { return a; };
  to[3] = cg::reduce(tile, mine, first);
}
template <unsigned int Size>
void check_order() {
  SCOPED_TRACE(Size);
  memory<affine> out(4 * 128);
  run({1}, {128}, in_order<Size>, out.data());
  for (unsigned int first = 0; first < 128; first += Size) {
    affine total = affine::of(first);
    for (unsigned int r = 0; r < Size; ++r) {
      const affine before = total;
      if (r > 0) total = affine::then()(total, affine::of(first + r));
      ASSERT_TRUE(out[4 * (first + r) + 1] == total) << r;
      if (r > 0) {
        ASSERT_TRUE(out[4 * (first + r) + 2] == before) << r;
      }
    }
    for (unsigned int r = 0; r < Size; ++r) {
      ASSERT_TRUE(out[4 * (first + r)] == total) << r;
      ASSERT_TRUE(out[4 * (first + r) + 3] == affine::of(first)) << r;
    }
  }
}

TEST(HeaderDefects, OperandsInTheOrderOfTheRanks) {
  CONFORMS("D.7");
  check_order<2>();
  check_order<8>();
  check_order<32>();
  check_order<64>();
  check_order<128>();
}

__global__ void dynamic_tiles(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  cg::coalesced_group some = cg::binary_partition(warp, warp.thread_rank() < 20);
  cg::coalesced_group part = cg::tiled_partition(some, 8);
  unsigned int* mine = out + 4 * block.thread_rank();
  mine[0] = part.size();
  mine[1] = part.thread_rank();
  mine[2] = part.meta_group_rank();
  mine[3] = part.meta_group_size();
}

TEST(HeaderDefects, DynamicPartitionCountsItsLastTile) {
  CONFORMS("D.8", "C.4.2.2.5");
  memory<unsigned int> out(4 * 64);
  run({1}, {64}, dynamic_tiles, out.data());
  for (unsigned int t = 0; t < 64; ++t) {
    const bool low = t % 32 < 20;
    const unsigned int rank = low ? t % 32 : t % 32 - 20, count = low ? 20 : 12;
    const unsigned int tile = rank / 8, left = count - tile * 8;
    const unsigned int expected[] = {left < 8 ? left : 8, rank % 8, tile, (count + 7) / 8};
    for (int k = 0; k < 4; ++k) ASSERT_EQ(out[4 * t + k], expected[k]) << "thread " << t << ", value " << k;
    ASSERT_LT(out[4 * t + 2], out[4 * t + 3]);
  }
}

__global__ void all_of_a_cut_tile(int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[2 * threadIdx.x] = tile.all(1);
  out[2 * threadIdx.x + 1] = tile.all(threadIdx.x != 39);
}

TEST(HeaderDefects, AllAsksTheThreadsThatExist) {
  CONFORMS("D.9");
  memory<int> out(2 * 40);
  run({1}, {40}, all_of_a_cut_tile, out.data());
  for (int t = 0; t < 40; ++t) {
    ASSERT_EQ(out[2 * t], 1) << t;
    ASSERT_EQ(out[2 * t + 1], t < 32) << t;
  }
}

__global__ void scopes(int* out) {
  out[0] = static_cast<int>(cg::thread_block_tile<8>::thread_scope);
  out[1] = static_cast<int>(cg::thread_block_tile<8, cg::thread_block>::thread_scope);
  out[2] = static_cast<int>(cg::thread_block::thread_scope);
  out[3] = static_cast<int>(cg::grid_group::thread_scope);
  out[4] = static_cast<int>(cuda::thread_scope_block);
  out[5] = static_cast<int>(cuda::thread_scope_device);
}

TEST(HeaderDefects, ThreadScopeIsNotAmbiguous) {
  CONFORMS("D.11");
  memory<int> out(6);
  run({1}, {1}, scopes, out.data());
  EXPECT_EQ(out[0], out[4]);
  EXPECT_EQ(out[1], out[4]);
  EXPECT_EQ(out[2], out[4]);
  EXPECT_EQ(out[3], out[5]);
}

}  // namespace
