// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Misused collectives: the launch fails, and the report names the remedy.
#include <gtest/gtest.h>

#include <misuse/report.hpp>

namespace {

using testing::HasSubstr;

constexpr int launch_failure = 719;

TEST(CollectiveMisuse, GridWithoutWorkspace) {
  const auto kernel = [] { (void)cohort::reduce(cohort::this_grid(), 1, cohort::plus<int>()); };
  EXPECT_EQ(cohort::launch_cooperative(2, 33, kernel).number(), launch_failure);
  EXPECT_THAT(last_report(), HasSubstr("a collective of grid_group without a workspace: launch with "
                                       "cohort::launch_cooperative a kernel whose first parameter is a "
                                       "cohort::grid_workspace"));
  EXPECT_THAT(last_report(), HasSubstr("thread"));
  expect_device_works();
}

TEST(CollectiveMisuse, MultiGridInAnOrdinaryLaunch) {
  const auto kernel = [] { (void)cohort::count(cohort::this_multi_grid(), true); };
  EXPECT_EQ(cohort::launch_cooperative(2, 33, kernel).number(), launch_failure);
  EXPECT_THAT(last_report(), HasSubstr("multi_grid_group in a launch that is not a multi-device launch"));
  expect_device_works();
}

TEST(CollectiveMisuse, ArraysInAnOrdinaryLaunch) {
  const auto kernel = [] {
    float values[4] = {};
    cohort::all_reduce(cohort::this_multi_grid(), values, values, 4, cohort::plus<float>());
  };
  EXPECT_EQ(cohort::launch_cooperative(2, 33, kernel).number(), launch_failure);
  EXPECT_THAT(last_report(), HasSubstr("a collective of arrays in a launch that is neither over several devices nor"));
  expect_device_works();
}

TEST(CollectiveMisuse, HalfOfABlockReduces) {
  const auto kernel = [] {
    const auto block = cohort::this_thread_block();
    if (block.thread_rank() < 32) {
      (void)cohort::reduce(block, 1, cohort::plus<int>());
    } else {
      (void)cohort::inclusive_scan(block, 1);
    }
  };
  EXPECT_EQ(cohort::launch(1, 64, kernel).number(), launch_failure);
  EXPECT_THAT(last_report(), HasSubstr("inclusive_scan"));
  EXPECT_THAT(last_report(), HasSubstr("reduce"));
  expect_device_works();
}

// The last thread to arrive calls the operator, once for all.
template <class Inside>
void expect_refused_inside_operators(Inside inside) {
  const auto op = [=](int a, int b) {
    inside();
    return a + b;
  };
  const auto kernel = [=](int level) {
    const auto block = cohort::this_thread_block();
    if (level == 0) (void)cohort::reduce(cohort::tiled_partition<32>(block), 1, op);
    if (level == 1) (void)cohort::reduce(cohort::tiled_partition<64>(block), 1, op);
    if (level == 2) (void)cohort::inclusive_scan(block, 1, op);
    if (level == 3) (void)cohort::reduce(cohort::this_cluster(), 1, op);
  };
  for (int level = 0; level < 4; ++level) {
    EXPECT_EQ(cohort::launch(2, 70, kernel, level).number(), launch_failure) << level;
    EXPECT_THAT(last_report(), HasSubstr("the operator of a")) << level;
    EXPECT_THAT(last_report(), HasSubstr("misuse_test.cpp:")) << level;
  }
  expect_device_works();
}

TEST(CollectiveMisuse, AnOperatorSynchronisesTheBlock) {
  expect_refused_inside_operators([] { cohort::this_thread_block().sync(); });
}

TEST(CollectiveMisuse, AnOperatorReducesInItsWarp) {
  expect_refused_inside_operators(
      [] { (void)cohort::reduce(cohort::tiled_partition<4>(cohort::this_thread_block()), 1, cohort::plus<int>()); });
}

TEST(CollectiveMisuse, AnOperatorSynchronisesATile) {
  expect_refused_inside_operators([] { cohort::tiled_partition<64>(cohort::this_thread_block()).sync(); });
}

}  // namespace
