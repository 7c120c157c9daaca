// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort::launch from plain C++: arguments, callables, shared memory, several host threads.
#include "cohort/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "cohort/shared.hpp"
#include "engine/fiber/sanitizer.hpp"

namespace {

struct triple {
  double a;
  char b;
  int c[3];
};

std::atomic<int> bad{0};

void takes_all(int i, double d, triple t, const int* array, std::string text) {
  if (i != 3 || d != 2.5 || t.a != 1.5 || t.b != 'x' || t.c[2] != 9 || array[1] != 8 || text != "by value") ++bad;
  text += cohort_current_thread->thread_rank % 2 ? "!" : "?";  // each thread's own copy
}

TEST(Launch, ArgumentsAreConvertedAndCopiedForEachThread) {
  const int array[2] = {7, 8};
  bad = 0;
  const short three = 3;
  EXPECT_EQ(cohort::launch(5, 40, takes_all, three, 2.5f, triple{1.5, 'x', {7, 8, 9}}, array, "by value").number(), 0);
  EXPECT_EQ(bad, 0);
}

TEST(Launch, NullKernelIsRefused) {
  void (*none)(int) = nullptr;
  EXPECT_EQ(cohort::launch(1, 1, none, 1).number(), 98);
  EXPECT_THAT(cohort::message(cohort::error(98)), testing::HasSubstr("the kernel is null"));
}

TEST(Launch, WhatADriverMayAnswerHasASentence) {
  const std::string unknown = cohort::message(cohort::error(12345));
  EXPECT_EQ(unknown, "unknown error");
  std::map<std::string, int> sentences;
  // CUDA's error numbers for a missing or unfit driver or device, for unfit code, for failed kernels, and for captures.
  for (int number : {1,   2,   3,   4,   9,   35,  36,  46,  98,  100, 101, 200, 201, 209, 214, 217,
                     218, 220, 221, 222, 304, 400, 700, 701, 702, 709, 710, 714, 715, 716, 717, 718,
                     719, 720, 800, 801, 802, 803, 804, 805, 900, 901, 905, 906, 908, 912, 999}) {
    const std::string sentence = cohort::message(cohort::error(number));
    EXPECT_NE(sentence, unknown) << number;
    const auto [before, is_new] = sentences.emplace(sentence, number);
    EXPECT_TRUE(is_new) << number << " and " << before->second << " have the same sentence";
  }
}

TEST(Launch, BadShapesAreRefused) {
  const auto kernel = [] { ++bad; };
  bad = 0;
  EXPECT_EQ(cohort::launch(0, 1, kernel).number(), 9);
  EXPECT_EQ(cohort::launch(1, 1025, kernel).number(), 9);
  EXPECT_EQ(cohort::launch(cohort::config{1, 1, size_t{1} << 40}, kernel).number(), 1);
  EXPECT_EQ(cohort::launch_cooperative(0, 1, kernel).number(), 1);
  EXPECT_EQ(bad, 0);
}

TEST(Launch, SharedMemoryBelongsToTheBlock) {
  std::vector<int> out(40 * 64, -1);
  int* result = out.data();
  const auto kernel = [=] {
    int& sum = cohort::shared<int, struct sum_tag>();
    int& other = cohort::shared<int, struct other_tag>();
    int* dynamic = cohort::dynamic_shared<int>();
    const auto me = cohort_current_thread->thread_rank;
    dynamic[me] = static_cast<int>(me);
    sum += 1;  // zero at first; threads of a block share one OS thread
    cohort_wait_block();
    result[cohort_block_index(0) * 64 + me] = sum * 1000 + other + dynamic[63 - me];
  };
  ASSERT_EQ(cohort::launch(cohort::config{40, 64, 64 * sizeof(int)}, kernel).number(), 0);
  for (int i = 0; i < 40 * 64; ++i) EXPECT_EQ(out[i], 64000 + 63 - i % 64);
}

TEST(Launch, FromManyHostThreadsAtOnce) {
  std::atomic<int> total{0};
  std::vector<std::thread> hosts;
  for (int h = 0; h < 4; ++h) {
    hosts.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        const auto kernel = [&] {
          cohort_wait_block();
          ++total;
        };
        EXPECT_EQ(cohort::launch(3, 33, kernel).number(), 0);
      }
    });
  }
  for (auto& host : hosts) host.join();
  EXPECT_EQ(total, 4 * 10 * 3 * 33);
}

TEST(Launch, ManySmallLaunchesReuseEverything) {
  int count = 0;
  const auto kernel = [&] { ++count; };
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(cohort::launch(1, 1, kernel).number(), 0);
  EXPECT_EQ(count, 2000);
}

// A child process has none of its parent's workers and makes its own.
TEST(Launch, ChildOfAForkLaunches) {
#if defined(COHORT_TSAN)
  GTEST_SKIP() << "ThreadSanitizer allows no new threads in the child of a fork";
#endif
  const auto kernel = [] { cohort_wait_block(); };
  ASSERT_EQ(cohort::launch(4, 33, kernel).number(), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(cohort::launch(4, 33, kernel).number());
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
