// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block_tile of 64 to 1024 threads: ranks, shuffles from any rank, votes, nested and partial tiles, returned
// threads.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;

// The value of a thread, different for each thread.
COHORT_HOST_DEVICE unsigned int value_of(unsigned int thread) { return thread * 7919u + 5u; }

struct big_tile_values {
  unsigned int rank, size, meta_rank, meta_size;
  unsigned int shfl, negative, same, up, down, swapped, far;
  int any_none, any_last, all, all_but_first;
  unsigned int void_rank, void_meta_rank, void_meta_size, void_shfl;
  unsigned long long group_size, group_rank;
  unsigned int group_type;
  bool group_valid;
};

template <unsigned int Size>
COHORT_DEVICE void look_at_void(big_tile_values& s, cg::thread_block_tile<Size> plain, unsigned int value) {
  s.void_rank = plain.thread_rank();
  s.void_meta_rank = plain.meta_group_rank();
  s.void_meta_size = plain.meta_group_size();
  s.void_shfl = plain.shfl(value, 0);
}

COHORT_DEVICE void look_at_handle(big_tile_values& s, const cg::thread_group& group) {
  s.group_size = group.size();
  s.group_rank = group.thread_rank();
  s.group_type = group.get_type();
  s.group_valid = group.is_valid();
  group.sync();
}

template <class Tile>
COHORT_DEVICE big_tile_values look(const Tile& tile) {
  const unsigned int rank = tile.thread_rank(), value = value_of(cg::this_thread_block().thread_rank());
  big_tile_values s;
  s.rank = rank;
  s.size = tile.num_threads();
  s.meta_rank = tile.meta_group_rank();
  s.meta_size = tile.meta_group_size();
  s.shfl = tile.shfl(value, static_cast<int>(rank * 5 + 3));  // a different rank for each thread, modulo the size
  s.negative = tile.shfl(value, -1 - static_cast<int>(rank));
  s.same = tile.shfl(value, 1);
  s.up = tile.shfl_up(value, 33);
  s.down = tile.shfl_down(value, 35);
  s.swapped = tile.shfl_xor(value, 33);
  s.far = tile.shfl_xor(value, tile.size());
  s.any_none = tile.any(0);
  s.any_last = tile.any(rank == tile.num_threads() - 1 ? 2 : 0);
  s.all = tile.all(-1);
  s.all_but_first = tile.all(rank != 0);
  look_at_void(s, tile, value);
  look_at_handle(s, tile);
  tile.sync();
  return s;
}

// `count` is the number of tiles of this size in the parent, from its type.
void check(unsigned int thread, const big_tile_values& s, const model::group& tile, unsigned int size,
           unsigned int index, unsigned int count) {
  SCOPED_TRACE(testing::Message() << "thread " << thread << " tile<" << size << ">");
  const unsigned int rank = tile.rank_of(thread);
  const auto sent_by = [&](unsigned int r) { return r < tile.size() ? value_of(tile.members[r]) : 0u; };
  EXPECT_EQ(s.rank, rank);
  EXPECT_EQ(s.size, size);
  EXPECT_EQ(s.meta_rank, index);
  EXPECT_EQ(s.meta_size, count);
  EXPECT_EQ(s.shfl, sent_by((rank * 5 + 3) % size));
  EXPECT_EQ(s.negative, sent_by(size - 1 - rank));
  EXPECT_EQ(s.same, sent_by(1));
  EXPECT_EQ(s.up, sent_by(rank < 33 ? rank : rank - 33));
  EXPECT_EQ(s.down, sent_by(rank + 35 < size ? rank + 35 : rank));
  EXPECT_EQ(s.swapped, sent_by(rank ^ 33));
  EXPECT_EQ(s.far, sent_by(rank));
  EXPECT_EQ(s.any_none, 0);
  EXPECT_EQ(s.any_last, tile.size() == size ? 1 : 0);
  EXPECT_EQ(s.all, 1);
  EXPECT_EQ(s.all_but_first, 0);
  EXPECT_EQ(s.void_rank, rank);
  EXPECT_EQ(s.void_meta_rank, index);
  EXPECT_EQ(s.void_meta_size, count);
  EXPECT_EQ(s.void_shfl, sent_by(0));
  EXPECT_EQ(s.group_size, size);
  EXPECT_EQ(s.group_rank, rank);
  EXPECT_EQ(s.group_type, 5u);
  EXPECT_TRUE(s.group_valid);
}

std::vector<extent> shapes() {
  return {{1, 1, 1},   {31, 1, 1},  {33, 1, 1},  {64, 1, 1},  {65, 1, 1},  {96, 1, 1},   {127, 1, 1},
          {128, 1, 1}, {200, 1, 1}, {256, 1, 1}, {300, 1, 1}, {513, 1, 1}, {1000, 1, 1}, {1024, 1, 1},
          {5, 3, 7},   {16, 16, 1}, {7, 1, 33},  {8, 8, 16},  {1, 31, 3},  {11, 23, 2}};
}

template <unsigned int Size>
COHORT_KERNEL void cut_block(big_tile_values* out) {
  const auto block = cg::this_thread_block();
  out[block.thread_rank()] = look(cg::tiled_partition<Size>(block));
}

template <unsigned int ParentSize, unsigned int Size>
COHORT_KERNEL void cut_tile(big_tile_values* out) {
  const auto block = cg::this_thread_block();
  out[block.thread_rank()] = look(cg::tiled_partition<Size>(cg::tiled_partition<ParentSize>(block)));
}

template <unsigned int Size>
void test_cut_block() {
  for (const extent block : shapes()) {
    const unsigned int threads = static_cast<unsigned int>(block.count());
    SCOPED_TRACE(testing::Message() << "block " << block.x << "x" << block.y << "x" << block.z);
    buffer<big_tile_values> out(threads);
    run({1, 1, 1}, block, cut_block<Size>, out.data());
    for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
      for (unsigned int t : tile.members) check(t, out[t], tile, Size, tile.index, tile.count);
    }
  }
}

template <unsigned int ParentSize, unsigned int Size>
void test_cut_tile() {
  for (const extent block : shapes()) {
    const unsigned int threads = static_cast<unsigned int>(block.count());
    SCOPED_TRACE(testing::Message() << "block " << block.x << "x" << block.y << "x" << block.z);
    buffer<big_tile_values> out(threads);
    run({1, 1, 1}, block, cut_tile<ParentSize, Size>, out.data());
    for (const auto& parent : model::tiles(model::whole_block(threads), ParentSize)) {
      for (const auto& tile : model::tiles(parent, Size)) {
        // The parent's size is a constant of its type, also for a partial tile.
        for (unsigned int t : tile.members) check(t, out[t], tile, Size, tile.index, ParentSize / Size);
      }
    }
  }
}

TEST(BigTile, Of64) { test_cut_block<64>(); }
TEST(BigTile, Of128) { test_cut_block<128>(); }
TEST(BigTile, Of256) { test_cut_block<256>(); }
TEST(BigTile, Of512) { test_cut_block<512>(); }
TEST(BigTile, Of1024) { test_cut_block<1024>(); }
TEST(BigTile, OfABigTile) {
  test_cut_tile<128, 64>();
  test_cut_tile<1024, 256>();
  test_cut_tile<512, 64>();
}

// Tiles of up to 32 threads, made from a big tile.
COHORT_KERNEL void cut_small(unsigned int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(cg::tiled_partition<256>(block));
  const auto warp = cg::tiled_partition<32>(tile);
  const auto four = cg::tiled_partition<4>(tile);
  const cg::thread_group dynamic = cg::tiled_partition(tile, 16);
  unsigned int* const mine = out + 6 * block.thread_rank();
  mine[0] = warp.meta_group_rank() * 100 + warp.meta_group_size();
  mine[1] = four.meta_group_rank() * 100 + four.meta_group_size();
  mine[2] = warp.shfl(block.thread_rank(), 1);
  mine[3] = four.shfl(block.thread_rank(), 1);
  mine[4] = static_cast<unsigned int>(dynamic.size() * 100 + dynamic.thread_rank());
  dynamic.sync();
  mine[5] = tile.shfl(block.thread_rank(), 2);
}

TEST(BigTile, SmallTilesAreCutFromIt) {
  const unsigned int threads = 200;
  buffer<unsigned int> out(6 * threads);
  run({1, 1, 1}, {threads, 1, 1}, cut_small, out.data());
  for (unsigned int t = 0; t < threads; ++t) {
    const unsigned int* const mine = &out[6 * t];
    EXPECT_EQ(mine[0], t % 64 / 32 * 100 + 2) << t;
    EXPECT_EQ(mine[1], t % 64 / 4 * 100 + 16) << t;
    EXPECT_EQ(mine[2], t / 32 * 32 + 1) << t;
    EXPECT_EQ(mine[3], t / 4 * 4 + 1) << t;
    EXPECT_EQ(mine[4], (t < 192 ? 16u : 8u) * 100 + t % 16) << t;
    EXPECT_EQ(mine[5], t / 64 * 64 + 2) << t;
  }
}

template <unsigned int Size>
COHORT_DEVICE unsigned int meta_of(const cg::thread_block_tile<Size>& tile) {
  return tile.meta_group_rank() * 100 + tile.meta_group_size();
}
COHORT_KERNEL void first_tiles_only(unsigned int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  const unsigned int me = block.thread_rank();
  out[me] = 0;
  // Every second tile enters, the second time in another order: tiles do not wait for one another.
  if (tile.meta_group_rank() % 2 == 0) {
    for (unsigned int i = 0; i <= tile.meta_group_rank(); ++i)
      out[me] += tile.shfl(me, static_cast<int>(i)) + meta_of(tile);
    tile.sync();
  }
}

TEST(BigTile, OneTileAloneInABranch) {
  const unsigned int threads = 290;
  buffer<unsigned int> out(threads);
  run({1, 1, 1}, {threads, 1, 1}, first_tiles_only, out.data());
  for (unsigned int t = 0; t < threads; ++t) {
    unsigned int expected = 0;
    for (unsigned int i = 0; t / 64 % 2 == 0 && i <= t / 64; ++i) expected += t / 64 * 64 + i + t / 64 * 100 + 5;
    EXPECT_EQ(out[t], expected) << t;
  }
}

// Tiles of all sizes exist at once; threads of one tile belong to different tiles of another size.
COHORT_KERNEL void all_sizes(unsigned int* out) {
  const auto block = cg::this_thread_block();
  const auto t64 = cg::tiled_partition<64>(block);
  const auto t128 = cg::tiled_partition<128>(block);
  const auto t256 = cg::tiled_partition<256>(block);
  const auto t512 = cg::tiled_partition<512>(block);
  const auto t1024 = cg::tiled_partition<1024>(block);
  const auto warp = cg::tiled_partition<32>(t64);
  unsigned int value = block.thread_rank();
  for (unsigned int round = 0; round < 3; ++round) {
    value = t64.shfl_xor(value, 1 + round) + 1;
    value = t128.shfl_down(value, 2) + 1;
    if (round == 1) t1024.sync();
    value = t256.shfl(value, static_cast<int>(t256.thread_rank() + 70)) + 1;
    value = warp.shfl_xor(value, 3) + 1;
    value = t512.shfl_up(value, 5) + 1;
    value = t1024.shfl_xor(value, 512) + 1;
    if (round == 2) block.sync();
  }
  out[block.thread_rank()] = value;
}

TEST(BigTile, SeveralSizesAtOnce) {
  const unsigned int threads = 1024;
  buffer<unsigned int> out(threads);
  run({1, 1, 1}, {threads, 1, 1}, all_sizes, out.data());
  std::vector<unsigned int> value(threads);
  for (unsigned int t = 0; t < threads; ++t) value[t] = t;
  const auto step = [&](auto source) {
    std::vector<unsigned int> next(threads);
    for (unsigned int t = 0; t < threads; ++t) next[t] = value[source(t)] + 1;
    value = next;
  };
  for (unsigned int round = 0; round < 3; ++round) {
    step([&](unsigned int t) { return t / 64 * 64 + (t % 64 ^ (1 + round)); });
    step([](unsigned int t) { return t % 128 + 2 < 128 ? t + 2 : t; });
    step([](unsigned int t) { return t / 256 * 256 + (t % 256 + 70) % 256; });
    step([](unsigned int t) { return t / 32 * 32 + (t % 32 ^ 3); });
    step([](unsigned int t) { return t % 512 < 5 ? t : t - 5; });
    step([](unsigned int t) { return t ^ 512; });
  }
  for (unsigned int t = 0; t < threads; ++t) EXPECT_EQ(out[t], value[t]) << t;
}

// Threads that have returned do not take part, and a value from one of them is zero.
COHORT_KERNEL void some_return(unsigned int* from_next, int* votes) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<128>(block);
  const unsigned int me = block.thread_rank();
  if (me % 3 == 0) return;
  from_next[me] = tile.shfl(me, static_cast<int>(tile.thread_rank() + 1));
  votes[me] = tile.all(me % 3 != 0) * 10 + tile.any(me % 3 == 0);
  tile.sync();
}

TEST(BigTile, ReturnedThreads) {
  const unsigned int threads = 300;
  buffer<unsigned int> from_next(threads);
  buffer<int> votes(threads);
  run({1, 1, 1}, {threads, 1, 1}, some_return, from_next.data(), votes.data());
  for (unsigned int t = 0; t < threads; ++t) {
    if (t % 3 == 0) continue;
    const unsigned int next = t / 128 * 128 + (t % 128 + 1) % 128;
    EXPECT_EQ(from_next[t], next % 3 == 0 || next >= threads ? 0u : next) << t;
    EXPECT_EQ(votes[t], 10) << t;
  }
}

// Shuffles of values of any size.
template <class T>
COHORT_KERNEL void shuffle_sized(T* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned int me = cg::this_thread_block().thread_rank();
  out[me] = tile.shfl(T::of(me), static_cast<int>(tile.thread_rank() * 3));
}

template <std::size_t Bytes>
void test_sized() {
  using value = testing_kernels::sized<Bytes>;
  const unsigned int threads = 128;
  buffer<value> out(threads);
  run({1, 1, 1}, {threads, 1, 1}, shuffle_sized<value>, out.data());
  for (unsigned int t = 0; t < threads; ++t) {
    EXPECT_TRUE(out[t] == value::of(t / 64 * 64 + t % 64 * 3 % 64)) << Bytes << " bytes, thread " << t;
  }
}

TEST(BigTile, ValuesOfAnySize) {
  test_sized<1>();
  test_sized<3>();
  test_sized<8>();
  test_sized<9>();
  test_sized<32>();
  test_sized<33>();
  test_sized<200>();
}

// A function template deduces the size, also from a tile with a parent; the handle may be assigned.
template <unsigned int Size>
COHORT_DEVICE unsigned int deduced(cg::thread_block_tile<Size> tile) {
  return Size * 10 + tile.meta_group_rank();
}
template <unsigned int Size, class Parent>
COHORT_DEVICE unsigned int deduced_both(const cg::thread_block_tile<Size, Parent>& tile) {
  return Size * 10 + tile.meta_group_rank();
}

// Only the first warp converts its tile: no other warp is waited for.
COHORT_KERNEL void deduce(unsigned int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  unsigned int* const mine = out + 3 * block.thread_rank();
  mine[0] = mine[1] = mine[2] = 0;
  if (block.thread_rank() % 64 < 32) {
    mine[0] = deduced(tile);
    mine[1] = deduced_both(tile);
    cg::thread_block_tile<64> assigned = cg::tiled_partition<64>(cg::tiled_partition<128>(block));
    assigned = tile;
    mine[2] = deduced_both(assigned);
  }
}

TEST(BigTile, DeducesItsSizeAndConvertsWithoutABarrier) {
  const unsigned int threads = 150;
  buffer<unsigned int> out(3 * threads);
  run({1, 1, 1}, {threads, 1, 1}, deduce, out.data());
  for (unsigned int i = 0; i < 3 * threads; ++i) {
    EXPECT_EQ(out[i], i / 3 % 64 < 32 ? 640 + i / 3 / 64 : 0) << i;
  }
}

}  // namespace
