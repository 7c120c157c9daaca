// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block_tile: ranks, sizes, meta ranks and participants of full and partial tiles.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;

struct tile_values {
  unsigned int rank, size, meta_rank, meta_size, members;
  int any_none, any_last, all, all_but_first;
  unsigned int void_rank, void_meta_rank, void_meta_size, void_members;
};

template <class Tile>
COHORT_DEVICE tile_values look(const Tile& tile, const cg::thread_block_tile<Tile::num_threads()>& plain) {
  tile_values s;
  s.rank = tile.thread_rank();
  s.size = tile.num_threads();
  s.meta_rank = tile.meta_group_rank();
  s.meta_size = tile.meta_group_size();
  s.members = tile.ballot(1);
  s.any_none = tile.any(0);
  s.any_last = tile.any(tile.thread_rank() == tile.num_threads() - 1 ? 2 : 0);
  s.all = tile.all(-1);
  s.all_but_first = tile.all(tile.thread_rank() != 0);
  s.void_rank = plain.thread_rank();
  s.void_meta_rank = plain.meta_group_rank();
  s.void_meta_size = plain.meta_group_size();
  s.void_members = plain.ballot(1);
  tile.sync();
  plain.sync();
  return s;
}

template <unsigned int Size>
COHORT_KERNEL void cut_block_in_tiles(tile_values* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  out[block.thread_rank()] = look(tile, tile);
}

// A tile of Size in a tile of ParentSize.
template <unsigned int ParentSize, unsigned int Size>
COHORT_KERNEL void cut_tile_in_tiles(tile_values* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(cg::tiled_partition<ParentSize>(block));
  out[block.thread_rank()] = look(tile, tile);
}

// `count` is the number of tiles of this size in the parent, from its type.
void check_tile(unsigned int thread, const tile_values& s, const model::group& tile, unsigned int size,
                unsigned int index, unsigned int count) {
  SCOPED_TRACE(testing::Message() << "thread " << thread << " tile<" << size << ">");
  const unsigned int rank = tile.rank_of(thread);
  unsigned int members = 0;
  for (std::size_t i = 0; i < tile.size(); ++i) members |= 1u << i;
  EXPECT_EQ(s.rank, rank);
  EXPECT_EQ(s.size, size);
  EXPECT_EQ(s.meta_rank, index);
  EXPECT_EQ(s.meta_size, count);
  EXPECT_EQ(s.members, members);
  EXPECT_EQ(s.any_none, 0);
  EXPECT_EQ(s.any_last, tile.size() == size ? 1 : 0);
  EXPECT_EQ(s.all, 1);
  EXPECT_EQ(s.all_but_first, 0);
  EXPECT_EQ(s.void_rank, rank);
  EXPECT_EQ(s.void_meta_rank, index);
  EXPECT_EQ(s.void_meta_size, count);
  EXPECT_EQ(s.void_members, members);
}

template <unsigned int Size>
void test_tiles_of_block() {
  for (const extent block : model::block_shapes()) {
    const unsigned int threads = static_cast<unsigned int>(block.count());
    SCOPED_TRACE(testing::Message() << "block " << block.x << "x" << block.y << "x" << block.z);
    buffer<tile_values> out(threads);
    run({1, 1, 1}, block, cut_block_in_tiles<Size>, out.data());
    const auto tiles = model::tiles(model::whole_block(threads), Size);
    for (unsigned int t = 0; t < threads; ++t) {
      const auto& tile = model::of(tiles, t);
      check_tile(t, out[t], tile, Size, tile.index, tile.count);
    }
  }
}

template <unsigned int ParentSize, unsigned int Size>
void test_tiles_of_tile() {
  for (const extent block : model::block_shapes()) {
    const unsigned int threads = static_cast<unsigned int>(block.count());
    SCOPED_TRACE(testing::Message() << "block " << block.x << "x" << block.y << "x" << block.z);
    buffer<tile_values> out(threads);
    run({1, 1, 1}, block, cut_tile_in_tiles<ParentSize, Size>, out.data());
    const auto parents = model::tiles(model::whole_block(threads), ParentSize);
    for (unsigned int t = 0; t < threads; ++t) {
      const auto tiles = model::tiles(model::of(parents, t), Size);
      const auto& tile = model::of(tiles, t);
      // The parent's size is a constant of its type, also for a partial tile.
      check_tile(t, out[t], tile, Size, tile.index, ParentSize / Size);
    }
  }
}

TEST(Tile, OfTheBlock) {
  test_tiles_of_block<1>();
  test_tiles_of_block<2>();
  test_tiles_of_block<4>();
  test_tiles_of_block<8>();
  test_tiles_of_block<16>();
  test_tiles_of_block<32>();
}

TEST(Tile, OfATile) {
  test_tiles_of_tile<32, 16>();
  test_tiles_of_tile<32, 1>();
  test_tiles_of_tile<16, 4>();
  test_tiles_of_tile<8, 4>();
  test_tiles_of_tile<4, 2>();
  test_tiles_of_tile<2, 1>();
}

COHORT_KERNEL void alone(tile_values* out) {
  const auto me = cg::this_thread();
  out[cg::this_thread_block().thread_rank()] = look(me, me);
}

TEST(Tile, ThisThread) {
  for (const extent block : model::block_shapes()) {
    const unsigned int threads = static_cast<unsigned int>(block.count());
    buffer<tile_values> out(threads);
    run({1, 1, 1}, block, alone, out.data());
    for (unsigned int t = 0; t < threads; ++t) {
      model::group me;
      me.members = {t};
      check_tile(t, out[t], me, 1, 0, 1);
    }
  }
}

// Only the first tile of each block enters: its collectives wait for no other thread.
COHORT_KERNEL void first_tile_only(unsigned int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned int thread = cg::this_thread_block().thread_rank();
  out[thread] = 0;
  if (tile.meta_group_rank() == 0) {
    tile.sync();
    out[thread] = tile.ballot(tile.thread_rank() % 3 == 0);
    tile.sync();
  }
}

TEST(Tile, OneTileAloneInABranch) {
  buffer<unsigned int> out(64);
  run({1, 1, 1}, {64, 1, 1}, first_tile_only, out.data());
  for (unsigned int t = 0; t < 64; ++t) EXPECT_EQ(out[t], t < 16 ? 0x9249u : 0u) << t;
}

// The five identities of one thread of a 256-thread block.
struct identities {
  unsigned int rank[5], size[5], meta_rank[5], meta_size[5];
};

template <unsigned int Size>
COHORT_DEVICE void note(identities& all, int i, cg::thread_block_tile<Size> tile) {
  all.rank[i] = tile.thread_rank();
  all.size[i] = tile.size();
  all.meta_rank[i] = tile.meta_group_rank();
  all.meta_size[i] = tile.meta_group_size();
}

COHORT_KERNEL void identify(identities* out) {
  const auto block = cg::this_thread_block();
  const auto warp32 = cg::tiled_partition<32>(block);
  const auto warp16 = cg::tiled_partition<16>(block);
  const auto warp8 = cg::tiled_partition<8>(block);
  const auto tile8 = cg::tiled_partition<8>(warp32);
  const auto tile4 = cg::tiled_partition<4>(tile8);
  identities& mine = out[block.thread_rank()];
  note(mine, 0, warp32);
  note(mine, 1, warp16);
  note(mine, 2, warp8);
  note(mine, 3, tile8);
  note(mine, 4, tile4);
}

TEST(Tile, FiveIdentitiesOfAThread) {
  buffer<identities> out(256);
  run({1, 1, 1}, {256, 1, 1}, identify, out.data());
  const identities& of = out[1234567 % 256];
  const unsigned int rank[5] = {7, 7, 7, 7, 3}, size[5] = {32, 16, 8, 8, 4};
  const unsigned int meta_rank[5] = {4, 8, 16, 0, 1}, meta_size[5] = {8, 16, 32, 4, 2};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(of.rank[i], rank[i]) << i;
    EXPECT_EQ(of.size[i], size[i]) << i;
    EXPECT_EQ(of.meta_rank[i], meta_rank[i]) << i;
    EXPECT_EQ(of.meta_size[i], meta_size[i]) << i;
  }
}

}  // namespace
