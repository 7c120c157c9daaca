// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All collectives of multi-grids, back to back: shapes, types, values larger than a slot. A test that names more
// devices than exist runs on all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "all_collectives.hpp"

namespace {

using namespace testing_kernels;

// The engine reads these settings at the first launch.
[[maybe_unused]] const int three_devices = setenv("COHORT_DEVICES", "3", 1) + setenv("COHORT_SMS", "8", 1);

template <class T, class Op>
COHORT_KERNEL void all_of_multi_grid(const T* in, results<T>* out, unsigned int source) {
  const auto grids = cohort::this_multi_grid();
  call_all<Op>(grids, in, out, grids.thread_rank(), source);
}

template <class T, class Op>
void test_multi_grid(int devices, model::extent grid, model::extent block) {
#if COHORT_CUDA_SOURCE
  int present = 0;
  ASSERT_EQ(cudaGetDeviceCount(&present), cudaSuccess);
  if (devices > present) devices = present;
#endif
  SCOPED_TRACE(testing::Message() << devices << " grids of " << grid.count() << " blocks of " << block.count());
  arrays<T> a(static_cast<std::size_t>(devices) * grid.count() * block.count(), static_cast<unsigned>(devices));
  cohort::config c;
  c.grid = shape(grid);
  c.block = shape(block);
  expect_success(
      cohort::launch_multi_device(devices, c, all_of_multi_grid<T, Op>, a.in.data(), a.out.data(), a.source));
  expect_all<Op>(a.in, a.out, 0, a.in.size(), {block.count(), grid.count()}, a.source);
}

TEST(Grids, Order) {
  for (int devices : {1, 2, 3}) {
    for (unsigned int blocks : {1u, 2u, 3u, 5u, 8u, 13u}) {
      test_multi_grid<unsigned, trace_op>(devices, {blocks, 1, 1}, {blocks * 5 % 37 + 1, 1, 1});
    }
  }
  test_multi_grid<unsigned, trace_op>(3, {2, 3, 1}, {4, 4, 5});
}

TEST(Grids, SumsOfFloatsToTheBit) {
  test_multi_grid<float, add>(3, {7, 1, 1}, {50, 1, 1});
  test_multi_grid<float, cohort::plus<float>>(3, {7, 1, 1}, {50, 1, 1});
  test_multi_grid<float, add>(2, {16, 1, 1}, {96, 1, 1});
}

TEST(Grids, LargeValues) {
  test_multi_grid<sized<300>, bytes_op<300>>(3, {4, 1, 1}, {9, 1, 1});
  test_multi_grid<sized<300>, bytes_op<300>>(2, {3, 1, 1}, {40, 1, 1});
}

// A kernel with a workspace parameter: each grid gets a workspace of its own.
COHORT_KERNEL void both_levels(cohort::grid_workspace workspace, const unsigned* in, unsigned* of_grid,
                               unsigned* of_all) {
  const auto grid = cohort::this_grid(workspace);
  const auto all = cohort::this_multi_grid();
  const auto me = all.thread_rank();
  of_grid[me] = cohort::reduce(grid, in[me], cohort::plus<unsigned>());
  of_all[me] = cohort::reduce(all, of_grid[me] + in[me], cohort::plus<unsigned>());
}

TEST(Grids, GridsWithWorkspaces) {
  for (int devices : {1, 2, 3}) {
#if COHORT_CUDA_SOURCE
    int present = 0;
    ASSERT_EQ(cudaGetDeviceCount(&present), cudaSuccess);
    if (devices > present) break;
#endif
    const unsigned int grid_threads = 5 * 70, threads = grid_threads * static_cast<unsigned int>(devices);
    buffer<unsigned> in(threads), of_grid(threads), of_all(threads);
    fill(in, 5);
    cohort::config c;
    c.grid = cohort::dim3(5);
    c.block = cohort::dim3(70);
    expect_success(cohort::launch_multi_device(devices, c, both_levels, in.data(), of_grid.data(), of_all.data()));
    unsigned int total = 0;
    for (unsigned int t = 0; t < threads; ++t) total += in[t];
    const unsigned int all = total * (grid_threads + 1);
    for (unsigned int t = 0; t < threads; ++t) {
      const unsigned int begin = t / grid_threads * grid_threads;
      unsigned int own = 0;
      for (unsigned int other = begin; other < begin + grid_threads; ++other) own += in[other];
      ASSERT_EQ(of_grid[t], own) << "thread " << t;
      ASSERT_EQ(of_all[t], all) << "thread " << t;
    }
  }
}

// A launch that is impossible returns an error before any thread runs.
TEST(Grids, Refusals) {
  const auto launch = [](int devices, unsigned int blocks, int device) {
    cohort::config c;
    c.grid = cohort::dim3(blocks);
    c.block = cohort::dim3(64);
    c.device = device;
    unsigned* const none = nullptr;
    return cohort::launch_multi_device(devices, c, both_levels, none, none, none);
  };
  EXPECT_EQ(launch(65, 1, -1).number(), 101) << "more devices than there are";
  EXPECT_EQ(launch(1, 1, 0).number(), 101) << "a device in the config";
  const cohort::error e = launch(0, 10000000, -1);
  EXPECT_EQ(e.number(), 720);
  EXPECT_EQ(e.blocks_asked(), 10000000u);
  EXPECT_GT(e.blocks_fitting(), 0u);
}

}  // namespace
