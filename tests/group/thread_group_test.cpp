// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread_group keeps size, rank, barrier and validity of the group that it was made from.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::run_cooperative;

struct identity {
  unsigned long long size, num_threads, rank, free_size, free_rank;
  unsigned int type;
  bool valid;
};

COHORT_DEVICE identity of(const cg::thread_group& g) {
  return {g.size(),           g.num_threads(), g.thread_rank(), cg::group_size(g),
          cg::thread_rank(g), g.get_type(),    g.is_valid()};
}

enum { block_group, grid_group, tile_group, coalesced_group, alone_group, assigned_group, kinds };

// `synchronise` is false in plain launches, where a grid has no barrier.
COHORT_KERNEL void collect(identity* out, bool synchronise) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  const auto tile = cg::tiled_partition<8>(block);
  const auto odd = cg::binary_partition(tile, block.thread_rank() % 2 == 1);
  identity* const mine = out + grid.thread_rank() * kinds;
  mine[block_group] = of(block);
  mine[grid_group] = of(grid);
  mine[tile_group] = of(tile);
  mine[coalesced_group] = of(odd);
  mine[alone_group] = of(cg::this_thread());
  cg::thread_group any = block;
  any.sync();
  any = tile;
  any.sync();
  any = odd;
  any.sync();
  any = cg::this_thread();
  any.sync();
  if (synchronise) {
    any = grid;
    any.sync();
    cg::sync(any);
  }
  any = odd;
  any = tile;
  mine[assigned_group] = of(any);
}

void expect(const identity& got, unsigned long long size, unsigned long long rank, unsigned int type, bool valid) {
  EXPECT_EQ(got.size, size);
  EXPECT_EQ(got.num_threads, size);
  EXPECT_EQ(got.free_size, size);
  EXPECT_EQ(got.rank, rank);
  EXPECT_EQ(got.free_rank, rank);
  EXPECT_EQ(got.type, type);
  EXPECT_EQ(got.valid, valid);
}

void check(extent grid, extent block, const buffer<identity>& out, bool cooperative) {
  const unsigned int threads = static_cast<unsigned int>(block.count());
  const auto tiles = model::tiles(model::whole_block(threads), 8);
  for (unsigned int b = 0; b < grid.count(); ++b) {
    for (unsigned int t = 0; t < threads; ++t) {
      SCOPED_TRACE(testing::Message() << "block " << b << " thread " << t);
      const identity* const mine = &out[(b * threads + t) * kinds];
      const auto& tile = model::of(tiles, t);
      std::vector<bool> odd;
      for (unsigned int member : tile.members) odd.push_back(member % 2 == 1);
      const auto sides = model::by_predicate(tile, odd);
      const auto& side = model::of(sides, t);
      expect(mine[block_group], threads, t, 4, true);
      expect(mine[grid_group], grid.count() * threads, b * threads + t, 3, cooperative);
      expect(mine[tile_group], 8, tile.rank_of(t), 1, true);
      expect(mine[coalesced_group], side.size(), side.rank_of(t), 1, true);
      expect(mine[alone_group], 1, 0, 1, true);
      expect(mine[assigned_group], 8, tile.rank_of(t), 1, true);
    }
  }
}

TEST(ThreadGroup, IdentityOfEveryGroup) {
  for (const extent block : model::block_shapes()) {
    const extent grid{3, 1, 1};
    SCOPED_TRACE(testing::Message() << block.x << "x" << block.y << "x" << block.z);
    buffer<identity> out(grid.count() * block.count() * kinds);
    run(grid, block, collect, out.data(), false);
    check(grid, block, out, false);
  }
}

TEST(ThreadGroup, OfACooperativeGridSynchronises) {
  const extent grid{2, 1, 1}, block{5, 3, 1};
  buffer<identity> out(grid.count() * block.count() * kinds);
  run_cooperative(grid, block, collect, out.data(), true);
  check(grid, block, out, true);
}

// A function over thread_group synchronises its argument's group.
COHORT_DEVICE int sum_by(const cg::thread_group& g, int* shared, int value) {
  const unsigned int rank = static_cast<unsigned int>(g.thread_rank());
  shared[rank] = value;
  g.sync();
  int total = 0;
  for (unsigned int i = 0; i < g.size(); ++i) total += shared[i];
  g.sync();
  return total;
}

COHORT_KERNEL void sum_all(int* scratch, int* of_block, int* of_tile) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  of_block[me] = sum_by(cg::this_thread_block(), scratch, static_cast<int>(me));
  const auto tile = cg::tiled_partition(block, 4);
  of_tile[me] = sum_by(tile, scratch + me / 4 * 4, static_cast<int>(me));
}

TEST(ThreadGroup, FunctionsOverAnyGroup) {
  const unsigned int threads = 50;
  buffer<int> scratch(threads), of_block(threads), of_tile(threads);
  run({1, 1, 1}, {threads, 1, 1}, sum_all, scratch.data(), of_block.data(), of_tile.data());
  for (unsigned int t = 0; t < threads; ++t) {
    EXPECT_EQ(of_block[t], 1225);
    int expected = 0;
    for (unsigned int i = t / 4 * 4; i < threads && i < t / 4 * 4 + 4; ++i) expected += static_cast<int>(i);
    EXPECT_EQ(of_tile[t], expected);
  }
}

}  // namespace
