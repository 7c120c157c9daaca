// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The budget of a large source, and the order in which kernels take from it.
#include "gang/plan/source_budget.hpp"

#include <gmock/gmock.h>

#include "gang/target/vector_target.hpp"

namespace cohort {
namespace {

using testing::ElementsAre;

constexpr bool limited = false;

TEST(SourceBudget, SmallSourcesHaveAllVersions) {
  source_budget small({{true, 700, 700}, {true, 3300, 80000}}, limited);
  EXPECT_TRUE(small.has_all_versions());
  EXPECT_THAT(small.order(), ElementsAre(0, 1));
  small.spend(1000000);
  EXPECT_TRUE(small.allows(1, 1000000));
  EXPECT_FALSE(source_budget({{true, 700, 700}, {true, 3301, 3301}}, limited).has_all_versions());
  std::vector<kernel_size> kernels(13, {true, 192, 192});
  EXPECT_TRUE(source_budget(kernels, limited).has_all_versions());
  kernels.back().instructions += 6;
  EXPECT_FALSE(source_budget(kernels, limited).has_all_versions());
  kernels.pop_back();
  kernels.back().instructions += 1500;
  EXPECT_TRUE(source_budget(kernels, limited).has_all_versions());
}

TEST(SourceBudget, OptionsLiftTheLimit) {
  EXPECT_TRUE(source_budget({{true, 100000, 100000}}, true).has_all_versions());
}

TEST(SourceBudget, KernelsThatWaitAndLoopComeFirst) {
  const std::vector<kernel_size> kernels = {{false, 1000, 9000}, {true, 1000, 2000},  {true, 500, 2000},
                                            {true, 1000, 4000},  {false, 1000, 1000}, {true, 1000, 9000}};
  EXPECT_THAT(source_budget(kernels, limited).order(), ElementsAre(5, 2, 3, 1, 0, 4));
}

TEST(SourceBudget, GangsTakeAShareOfAllCode) {
  source_budget budget({{true, 4000, 4000}, {true, 3500, 3500}}, limited);
  budget.spend(9500);
  EXPECT_TRUE(budget.allows(1, 500));  // the budget is 10000: 7500 of the kernels, and 2500 for any source
  EXPECT_FALSE(budget.allows(1, 501));
  budget.spend(500);
  EXPECT_FALSE(budget.allows(1, 1));
}

TEST(SourceBudget, OneLongKernelHasGangs) {
  source_budget budget({{true, 4000, 4000}, {true, 4000, 8000}}, limited);
  EXPECT_TRUE(budget.allows(1, 50000));
  EXPECT_FALSE(budget.allows(0, 50000));
}

TEST(SourceBudget, WideVersionsAreLongCode) {
  gang_plan plan;
  plan.versions = {{version_kind::row, 256}, {version_kind::row, 32}, {version_kind::any_block, 32, 0, false, true}};
  EXPECT_EQ(code_size(plan, 100, x86_target("+avx512f").registers), (16 + 2) * 100);
  EXPECT_EQ(code_size(plan, 100, x86_target("+avx2").registers), (32 + 4) * 100);
  plan.versions = {{version_kind::thread_loop}};
  EXPECT_EQ(code_size(plan, 100, x86_target("+avx2").registers), 100);
}

}  // namespace
}  // namespace cohort
