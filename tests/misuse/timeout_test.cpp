// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watchdog ends endless kernels: spinning, sleeping, and loops without any call of the engine.
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "report.hpp"

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

// The first launch reads this variable when it creates the device.
const int timeout_is_short = setenv("COHORT_TIMEOUT", "0.2", 1);

TEST(Timeout, FlagThatNobodySets) {
  ASSERT_EQ(timeout_is_short, 0);
  std::atomic<int> flag{0};
  const auto kernel = [&] {
    if (cohort_current_thread->thread_rank == 4) {
      while (!flag) cohort_wait_yield();
    }
    cohort_wait_block();
  };
  EXPECT_EQ(cohort::launch(1, 40, kernel).number(), 702);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("cohort: time-out in kernel"), HasSubstr("COHORT_TIMEOUT"),
                                   HasSubstr("1 thread: spin at"), HasSubstr("timeout_test.cpp:"),
                                   HasSubstr("thread 4"), HasSubstr("39 threads: wait at the block's barrier")));
  expect_device_works();
}

TEST(Timeout, SleepersOfACooperativeGrid) {
  std::atomic<int> flag{0};
  const auto kernel = [&] {
    if (cohort_block_index(0) == 1) {
      while (!flag) cohort_wait_sleep(1000);
    }
    cohort_wait_grid();
  };
  EXPECT_EQ(cohort::launch_cooperative(3, 32, kernel).number(), 702);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("block (1,0,0)"), HasSubstr("32 threads: spin")));
  expect_device_works();
}

// A loop without a wait, a return or a yield: the watchdog interrupts it after ten time-outs.
TEST(Timeout, EndlessLoop) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer delivers signals at calls only, and this loop makes none";
#endif
#endif
  const auto kernel = [](volatile unsigned int* counter) {
    if (cohort_current_thread->thread_rank == 6) {
      for (;;) *counter = *counter + 1;
    }
  };
  volatile unsigned int counter = 0;
  EXPECT_EQ(cohort::launch(1, 8, kernel, &counter).number(), 702);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("endless loop"), HasSubstr("thread (6,0,0) of block (0,0,0)"),
                                   HasSubstr("timeout_test.cpp:")));
  expect_device_works();
}

// Signals of the watchdog queue up while the worker's OS thread does not run. The second one arrives while the failed
// lane leaves its fiber.
TEST(Timeout, SignalsThatQueueKeepThePlaceInTheKernel) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer delivers signals at calls only, and this loop makes none";
#endif
#endif
  std::atomic<pthread_t> runner{};
  const auto kernel = [&runner](volatile unsigned int* counter) {
    runner = pthread_self();
    for (;;) *counter = *counter + 1;
  };
  volatile unsigned int counter = 0;
  std::thread sender([&] {
    while (counter == 0) std::this_thread::yield();
    for (int i = 0; i < 200; ++i) pthread_kill(runner, SIGRTMIN + 7);
  });
  EXPECT_EQ(cohort::launch(1, 1, kernel, &counter).number(), 702);
  sender.join();
  EXPECT_THAT(last_report(), AllOf(HasSubstr("endless loop"), HasSubstr("timeout_test.cpp:")));
  expect_device_works();
}

// Long work with arrivals in between is not an endless loop, whatever its total time.
TEST(Timeout, ProgressKeepsALaunchAlive) {
  std::atomic<int> turns{0};
  const auto kernel = [&] {
    for (int round = 0; round < 6; ++round) {
      if (cohort_current_thread->thread_rank == 0) {
        const uint64_t start = cohort_nanoseconds();
        while (cohort_nanoseconds() - start < 100'000'000) {
        }
        ++turns;
      }
      cohort_wait_block();
    }
  };
  EXPECT_EQ(cohort::launch(1, 33, kernel).number(), 0);
  EXPECT_EQ(turns, 6);
}

}  // namespace
