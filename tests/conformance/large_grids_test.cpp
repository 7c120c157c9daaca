// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks and sizes in grids that are too large to run on a CPU. The test makes the context of the grid's last thread by
// hand and reads the ranks that the groups compute from it.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

namespace cg = cooperative_groups;

namespace {

TEST(LargeGrids, ClustersAreCountedIn64Bits) {
  RecordProperty("conforms", "D.12 C.4.1.2.6");
  cohort_block_context block = {};
  const uint32_t grid[3] = {2147483646, 65534, 3}, cluster[3] = {2, 1, 1}, threads[3] = {16, 16, 4};
  const uint32_t last[3] = {grid[0] - 1, grid[1] - 1, grid[2] - 1};
  for (int axis = 0; axis < 3; ++axis) {
    block.grid_dim[axis] = grid[axis];
    block.cluster_dim[axis] = cluster[axis];
    block.block_dim[axis] = threads[axis];
    block.block_index[axis] = last[axis];
  }
  cohort_thread_context thread = {};
  thread.thread_index[0] = 15;
  thread.thread_index[1] = 15;
  thread.thread_index[2] = 3;
  thread.thread_rank = 1023;
  thread.block = &block;
  const cohort_thread_context* const before = cohort_current_thread;
  cohort_current_thread = &thread;
  const unsigned long long clusters = cg::grid_group::num_clusters(), cluster_rank = cg::grid_group::cluster_rank();
  const unsigned long long blocks = cg::grid_group::num_blocks(), block_rank = cg::grid_group::block_rank();
  const unsigned long long size = cg::grid_group::num_threads(), rank = cg::grid_group::thread_rank();
  cohort_current_thread = before;
  const unsigned long long expected = 2147483646ull * 65534 * 3;  // above 2^48
  EXPECT_EQ(clusters, expected / 2);
  EXPECT_EQ(cluster_rank, expected / 2 - 1);
  EXPECT_EQ(blocks, expected);
  EXPECT_EQ(block_rank, expected - 1);
  EXPECT_EQ(size, expected * 1024);
  EXPECT_EQ(rank, expected * 1024 - 1);
}

}  // namespace
