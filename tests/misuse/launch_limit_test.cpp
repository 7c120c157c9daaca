// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Endless loops in which each turn makes progress: COHORT_LAUNCH_LIMIT ends the launch with a report.
#include <atomic>
#include <cstdlib>
#include <regex>

#include "report.hpp"

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

// The first launch reads these variables when it creates the device.
const int limit_is_short = setenv("COHORT_LAUNCH_LIMIT", "0.3", 1);

// Hides from the compiler that a loop never ends. An atomic would not do: its load may be a function in a system
// header.
volatile bool endless = true;

void expect_report(int error, int first_line, int last_line) {
  ASSERT_EQ(limit_is_short, 0);
  EXPECT_EQ(error, 702);
  const std::string report = last_report();
  EXPECT_THAT(report, AllOf(HasSubstr("cohort: time-out in kernel"),
                            HasSubstr("  the launch has run for more than 0.3 s (COHORT_LAUNCH_LIMIT)\n")));
  bool names_line = false;
  for (int line = first_line; line <= last_line; ++line) {
    names_line |= report.find(place("launch_limit_test.cpp", line)) != std::string::npos;
  }
  EXPECT_TRUE(names_line) << "no line from " << first_line << " to " << last_line << " in\n" << report;
  expect_device_works();
}

TEST(LaunchLimit, LoopAroundTheBlockBarrier) {
  const int first = __LINE__;
  const auto kernel = [] {
    while (endless) cohort_wait_block();
  };
  expect_report(cohort::launch(3, 70, kernel).number(), first, __LINE__);
  EXPECT_THAT(last_report(), AllOf(HasSubstr(", 70 threads:\n"), HasSubstr(" ran, at ")));
}

TEST(LaunchLimit, LoopOfOneThread) {
  const int first = __LINE__;
  const auto kernel = [] {
    while (endless) cohort_wait_block();
  };
  expect_report(cohort::launch(1, 1, kernel).number(), first, __LINE__);
  EXPECT_THAT(last_report(), HasSubstr("  thread (0,0,0) of block (0,0,0) ran, at "));
}

TEST(LaunchLimit, LoopAroundACollectiveOfAWarp) {
  const int first = __LINE__;
  const auto kernel = [] {
    while (endless) cohort_wait_warp(0xffffffffu, nullptr, nullptr, "sync");
  };
  expect_report(cohort::launch(1, 32, kernel).number(), first, __LINE__);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("31 threads: can run after a wait at "), HasSubstr("1 thread: run\n")));
}

TEST(LaunchLimit, LoopAroundATile) {
  const int first = __LINE__;
  const auto kernel = [] {
    while (endless) cohort_wait_team(64, nullptr, nullptr, "sync");
  };
  expect_report(cohort::launch(1, 128, kernel).number(), first, __LINE__);
}

TEST(LaunchLimit, LoopAroundTheGridBarrier) {
  const int first = __LINE__;
  const auto kernel = [] {
    while (endless) cohort_wait_grid();
  };
  expect_report(cohort::launch_cooperative(3, 32, kernel).number(), first, __LINE__);
}

TEST(LaunchLimit, SomeThreadsWaitForThoseThatLoop) {
  const int first = __LINE__;
  const auto kernel = [] {
    if (cohort_thread_rank() >= 64) {
      while (endless) cohort_wait_warp(0xffffffffu, nullptr, nullptr, "sync");
    }
    cohort_wait_block();
  };
  expect_report(cohort::launch(1, 96, kernel).number(), first, __LINE__);
  EXPECT_THAT(last_report(), HasSubstr("64 threads: wait at the block's barrier"));
}

TEST(LaunchLimit, LoopsWithoutAWait) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer delivers signals at calls only, and this loop makes none";
#endif
#endif
  const int first = __LINE__;
  const auto kernel = [](volatile unsigned int* counter) {
    while (endless) *counter = *counter + 1;
  };
  volatile unsigned int counter = 0;
  expect_report(cohort::launch(1, 3, kernel, &counter).number(), first, __LINE__);
}

// Each launch has the whole time, also where many follow each other at once.
TEST(LaunchLimit, CountsEachLaunchAlone) {
  std::atomic<int> turns{0};
  const auto kernel = [&] {
    const uint64_t start = cohort_nanoseconds();
    while (cohort_nanoseconds() - start < 5'000'000) {
    }
    cohort_wait_block();
    ++turns;
  };
  for (int i = 0; i < 100; ++i) ASSERT_EQ(cohort::launch(1, 1, kernel).number(), 0);
  EXPECT_EQ(turns, 100);
}

}  // namespace
