// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All collectives of a world, back to back. Each thread puts its results into the memory of every rank, so every
// process compares the results of all ranks with the model.
#include <gtest/gtest.h>

#include <collective/all_collectives.hpp>

#include "symmetric.hpp"
#include "the_world.hpp"

namespace {

using namespace testing_kernels;

template <class T, class Op>
COHORT_KERNEL void all_of_world(const T* in, results<T>* out, results<T>* everywhere, unsigned int source) {
  const auto world = cohort::this_world();
  const auto me = world.thread_rank();
  call_all<Op>(world, in, out, me, source);
  for (unsigned int rank = 0; rank < world.num_ranks(); ++rank) {
    cohort::put(world, everywhere + me, out + me, sizeof(results<T>), rank);
  }
  world.sync();
}

template <class T, class Op>
void test_world(model::extent grid, model::extent block) {
  cohort::world& w = the_world();
  SCOPED_TRACE(testing::Message() << w.size() << " ranks of " << grid.count() << " blocks of " << block.count());
  arrays<T> a(static_cast<std::size_t>(w.size()) * grid.count() * block.count(), static_cast<unsigned>(w.size()));
  results<T>* everywhere = nullptr;
  expect_success(w.allocate(everywhere, a.in.size()));
  cohort::config c;
  c.grid = shape(grid);
  c.block = shape(block);
  expect_success(cohort::launch_world(w, c, all_of_world<T, Op>, a.in.data(), a.out.data(), everywhere, a.source));
  for (int local = 0; local < w.local_size(); ++local) {
    const std::vector<results<T>> found = read_symmetric(w, everywhere, w.rank() + local, a.in.size());
    ASSERT_EQ(found.size(), a.in.size());
    std::memcpy(static_cast<void*>(a.out.data()), found.data(), found.size() * sizeof(results<T>));
    expect_all<Op>(a.in, a.out, 0, a.in.size(), {block.count(), grid.count()}, a.source);
  }
  expect_success(w.free(everywhere));
  EXPECT_EQ(everywhere, nullptr);
}

TEST(WorldCollectives, Order) {
  for (unsigned int blocks : {1u, 2u, 3u, 5u}) {
    test_world<unsigned, trace_op>({blocks, 1, 1}, {blocks * 5 % 37 + 1, 1, 1});
  }
  test_world<unsigned, trace_op>({2, 3, 1}, {4, 4, 5});
  test_world<unsigned, trace_op>({1, 1, 1}, {256, 1, 1});
}

TEST(WorldCollectives, SumsOfFloatsToTheBit) {
  test_world<float, add>({7, 1, 1}, {50, 1, 1});
  test_world<float, cohort::plus<float>>({7, 1, 1}, {50, 1, 1});
  test_world<float, cohort::plus<float>>({1, 1, 1}, {32, 1, 1});
}

TEST(WorldCollectives, LargeValues) {
  test_world<sized<300>, bytes_op<300>>({4, 1, 1}, {9, 1, 1});
  test_world<sized<300>, bytes_op<300>>({1, 1, 1}, {3, 1, 1});
}

// A kernel with a workspace: each grid has one of its own.
COHORT_KERNEL void both_levels(cohort::grid_workspace workspace, unsigned* of_grid, unsigned* of_all) {
  const auto grid = cohort::this_grid(workspace);
  const auto world = cohort::this_world();
  const unsigned sum = cohort::reduce(grid, static_cast<unsigned>(world.thread_rank()), cohort::plus<unsigned>());
  const unsigned all = cohort::reduce(world, sum, cohort::plus<unsigned>());
  if (grid.thread_rank() == 0) {
    *world.on(of_grid, world.rank()) = sum;
    *world.on(of_all, world.rank()) = all;
  }
}

TEST(WorldCollectives, GridsWithWorkspaces) {
  cohort::world& w = the_world();
  constexpr unsigned grid_threads = 3 * 40;
  unsigned *of_grid = nullptr, *of_all = nullptr;
  expect_success(w.allocate(of_grid, 1));
  expect_success(w.allocate(of_all, 1));
  expect_success(cohort::launch_world(w, cohort::config{3, 40}, both_levels, of_grid, of_all));
  unsigned all = 0;
  for (unsigned t = 0; t < grid_threads * static_cast<unsigned>(w.size()); ++t) all += t * grid_threads;
  for (int rank = w.rank(); rank < w.rank() + w.local_size(); ++rank) {
    unsigned own = 0;
    for (unsigned t = 0; t < grid_threads; ++t) own += static_cast<unsigned>(rank) * grid_threads + t;
    EXPECT_EQ(read_symmetric(w, of_grid, rank), own);
    EXPECT_EQ(read_symmetric(w, of_all, rank), all);
  }
  expect_success(w.free(of_all));
  expect_success(w.free(of_grid));
}

}  // namespace
