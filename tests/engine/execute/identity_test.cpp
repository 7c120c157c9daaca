// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a launch runs once, with its own indices, for blocks and grids of one to three dimensions.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "cohort/launch.hpp"

namespace {

struct shape {
  cohort::dim3 grid, block;
};

class Identity : public ::testing::TestWithParam<shape> {};

TEST_P(Identity, EveryThreadRunsOnceWithItsIndices) {
  const auto [grid, block] = GetParam();
  const size_t blocks = size_t{grid.x} * grid.y * grid.z;
  const size_t threads = size_t{block.x} * block.y * block.z;
  for (const bool waits : {false, true}) {
    std::vector<std::atomic<int>> seen(blocks * threads);
    std::atomic<int>* runs = seen.data();
    std::atomic<int> wrong{0};
    const auto kernel = [=, &wrong] {
      const auto t = [](int axis) { return size_t{cohort_thread_index(axis)}; };
      const auto b = [](int axis) { return size_t{cohort_block_index(axis)}; };
      if (waits) cohort_wait_block();
      // Row-major ranks, x fastest, computed from the launch's own shape.
      const size_t thread_rank = (t(2) * block.y + t(1)) * block.x + t(0);
      const size_t block_rank = (b(2) * grid.y + b(1)) * grid.x + b(0);
      if (t(0) >= block.x || t(1) >= block.y || t(2) >= block.z || b(0) >= grid.x || b(1) >= grid.y || b(2) >= grid.z)
        ++wrong;
      if (cohort_block_dim(0) != block.x || cohort_block_dim(1) != block.y || cohort_block_dim(2) != block.z) ++wrong;
      if (cohort_grid_dim(0) != grid.x || cohort_grid_dim(1) != grid.y || cohort_grid_dim(2) != grid.z) ++wrong;
      if (cohort_current_thread->thread_rank != thread_rank) ++wrong;
      ++runs[block_rank * threads + thread_rank];
    };
    ASSERT_EQ(cohort::launch(grid, block, kernel).number(), 0);
    EXPECT_EQ(wrong, 0);
    for (size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], 1) << "thread " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Identity,
                         ::testing::Values(shape{{1}, {1}}, shape{{3}, {31}}, shape{{2}, {33}}, shape{{5}, {1024}},
                                           shape{{2, 3}, {7, 5}}, shape{{2, 3, 4}, {3, 5, 7}},
                                           shape{{1, 1, 9}, {1, 1, 64}}, shape{{1, 7}, {1, 1000}},
                                           shape{{301}, {2, 2, 2}}));

}  // namespace
