// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// COHORT_LAUNCH_LIMIT ends endless loops of gangs, of loops over threads, and of several blocks and devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/fiber/sanitizer.hpp"
#include "raw_gang.hpp"

namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class LaunchLimit : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::getenv("COHORT_LAUNCH_LIMIT")) GTEST_SKIP() << "needs COHORT_LAUNCH_LIMIT";
  }
  // The launch has failed with `error`.
  void expect_report(int error) {
    EXPECT_EQ(error, 702);
    EXPECT_THAT(raw::last_report(),
                AllOf(HasSubstr("cohort: time-out in kernel raw kernel <<<"), HasSubstr(" s (COHORT_LAUNCH_LIMIT)\n"),
                      HasSubstr("launch_limit_test.cpp:")));
  }
  static bool endless() { return endless_; }

 private:
  inline static volatile bool endless_ = true;  // a loop without side effects would be deleted
};

TEST_F(LaunchLimit, GangsAroundTheBlockBarrier) {
  for (const uint32_t threads : {64u, 128u, 192u}) {
    const auto gang = [](const cohort_gang&) {
      while (endless()) cohort_gang_wait_block(nullptr);
    };
    expect_report(raw::launch_gangs({{2, 1, 1}, {threads, 1, 1}}, 64, gang));
    EXPECT_THAT(raw::last_report(), HasSubstr("64 threads: run\n"));
    if (threads > 64) {
      EXPECT_THAT(raw::last_report(), HasSubstr(" threads: can run after a wait"));
    }
  }
}

TEST_F(LaunchLimit, GangsAroundTheGridBarrier) {
  const auto gang = [](const cohort_gang&) {
    while (endless()) cohort_gang_wait_grid(nullptr);
  };
  expect_report(raw::launch_gangs({{3, 1, 1}, {64, 1, 1}, {}, 1}, 32, gang));
  // One gang of the block may still run, or both have arrived.
  EXPECT_THAT(raw::last_report(), AnyOf(HasSubstr(" 32 threads: wait at the grid's barrier"),
                                        HasSubstr(" 64 threads: wait at the grid's barrier")));
}

TEST_F(LaunchLimit, LoopOverThreads) {
#if defined(COHORT_TSAN)
  GTEST_SKIP() << "ThreadSanitizer delivers signals at calls only, and this loop makes none";
#endif
  const auto gang = [](const cohort_gang& g) {
    g.looping[0] = 0x18;
    while (endless()) {
    }
  };
  raw::gang_kernel kernel({32}, gang, raw::no_thread);
  kernel.set_block_entry([](void**) {});
  expect_report(kernel.launch({{1, 1, 1}, {32, 1, 1}}));
  EXPECT_THAT(raw::last_report(), HasSubstr("  threads 3-4 of block (0,0,0) ran, at "));
}

TEST_F(LaunchLimit, Clusters) {
  const auto kernel = [] {
    while (endless()) cohort_wait_cluster();
  };
  raw::shape s{{4, 1, 1}, {32, 1, 1}};
  s.cluster[0] = 2;
  s.cluster[1] = s.cluster[2] = 1;
  expect_report(raw::launch(s, kernel));
}

TEST_F(LaunchLimit, SeveralDevices) {
  if (cohort_device_count() < 2) GTEST_SKIP() << "needs COHORT_DEVICES";
  const auto kernel = [] {
    while (endless()) cohort_wait_multi_grid();
  };
  expect_report(raw::launch_multi_device({{2, 1, 1}, {32, 1, 1}}, {0, 1}, kernel));
}

}  // namespace
