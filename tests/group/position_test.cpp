// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The positions that thread_block and grid_group return, in every shape and launch.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::run_cooperative;

struct position_values {
  unsigned int thread_rank, block_threads, block_size;
  cohort::dim3 group_index, thread_index, dim_threads, group_dim;
  unsigned long long grid_rank, grid_threads, grid_size, block_rank, num_blocks;
  cohort::dim3 grid_thread_index, grid_dim_threads, dim_blocks, grid_group_dim, block_index;
  bool valid;
};

COHORT_KERNEL void look_at_positions(position_values* out) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  position_values s;
  s.thread_rank = block.thread_rank();
  s.block_threads = block.num_threads();
  s.block_size = block.size();
  s.group_index = block.group_index();
  s.thread_index = block.thread_index();
  s.dim_threads = block.dim_threads();
  s.group_dim = block.group_dim();
  s.grid_rank = grid.thread_rank();
  s.grid_threads = grid.num_threads();
  s.grid_size = grid.size();
  s.block_rank = grid.block_rank();
  s.num_blocks = grid.num_blocks();
  s.grid_thread_index = grid.thread_index();
  s.grid_dim_threads = grid.dim_threads();
  s.dim_blocks = grid.dim_blocks();
  s.grid_group_dim = grid.group_dim();
  s.block_index = grid.block_index();
  s.valid = grid.is_valid();
  out[grid.thread_rank()] = s;
}

void expect_position(const char* what, cohort::dim3 got, unsigned int x, unsigned int y, unsigned int z) {
  EXPECT_TRUE(got.x == x && got.y == y && got.z == z)
      << what << ": " << got.x << "," << got.y << "," << got.z << " instead of " << x << "," << y << "," << z;
}

void check(extent grid, extent block, const buffer<position_values>& out, bool cooperative) {
  std::size_t at = 0;
  unsigned int block_rank = 0;
  for (const auto b : model::enumerate(grid)) {
    unsigned int rank = 0;
    for (const auto t : model::enumerate(block)) {
      SCOPED_TRACE(testing::Message() << "thread " << at);
      const position_values& s = out[at];
      EXPECT_EQ(s.thread_rank, rank);
      EXPECT_EQ(s.block_threads, block.count());
      EXPECT_EQ(s.block_size, block.count());
      expect_position("group_index", s.group_index, b.x, b.y, b.z);
      expect_position("block_index", s.block_index, b.x, b.y, b.z);
      expect_position("thread_index", s.thread_index, t.x, t.y, t.z);
      expect_position("dim_threads", s.dim_threads, block.x, block.y, block.z);
      expect_position("group_dim", s.group_dim, block.x, block.y, block.z);
      EXPECT_EQ(s.grid_rank, at);
      EXPECT_EQ(s.grid_threads, grid.count() * block.count());
      EXPECT_EQ(s.grid_size, grid.count() * block.count());
      EXPECT_EQ(s.block_rank, block_rank);
      EXPECT_EQ(s.num_blocks, grid.count());
      expect_position("grid thread_index", s.grid_thread_index, b.x * block.x + t.x, b.y * block.y + t.y,
                      b.z * block.z + t.z);
      expect_position("grid dim_threads", s.grid_dim_threads, grid.x * block.x, grid.y * block.y, grid.z * block.z);
      expect_position("dim_blocks", s.dim_blocks, grid.x, grid.y, grid.z);
      expect_position("grid group_dim", s.grid_group_dim, grid.x, grid.y, grid.z);
      EXPECT_EQ(s.valid, cooperative);
      ++at;
      ++rank;
    }
    ++block_rank;
  }
}

TEST(Position, BlockAndGridInEveryShape) {
  for (const extent grid : {extent{1, 1, 1}, extent{5, 1, 1}, extent{2, 3, 2}}) {
    for (const extent block : model::block_shapes()) {
      buffer<position_values> out(grid.count() * block.count());
      run(grid, block, look_at_positions, out.data());
      check(grid, block, out, false);
    }
  }
}

TEST(Position, CooperativeGridIsValid) {
  const extent grid{2, 1, 1}, block{33, 1, 1};
  buffer<position_values> out(grid.count() * block.count());
  run_cooperative(grid, block, look_at_positions, out.data());
  check(grid, block, out, true);
  // A plain launch after a cooperative launch still has no valid grid group.
  run(grid, block, look_at_positions, out.data());
  check(grid, block, out, false);
}

}  // namespace
