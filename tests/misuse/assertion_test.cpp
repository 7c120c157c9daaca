// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions that fail in kernels: each failing thread has a line, threads that wait for a failed one do not hang, and
// blocks that a GPU would not hold beside the failed one do not begin.
#include <algorithm>
#include <atomic>
#include <set>
#include <string>

#include "report.hpp"

namespace {

using testing::EndsWith;
using testing::HasSubstr;

std::string line(uint32_t block, uint32_t thread) {
  return "file.cu:12: void k(int): block: [" + std::to_string(block) + ",0,0], thread: [" + std::to_string(thread) +
         ",0,0] Assertion `x == y` failed.";
}

// The lines of the last report. A line that appears twice is a failure.
std::set<std::string> reported_lines() {
  const std::string text = last_report();
  std::set<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    EXPECT_TRUE(lines.insert(text.substr(begin, end - begin)).second) << text.substr(begin, end - begin);
    begin = end + 1;
  }
  return lines;
}

void fail() { cohort_fail_assert("x == y", "file.cu", 12, "void k(int)"); }

TEST(Assertion, EachFailingThreadHasALine) {
  const auto kernel = [] {
    if (cohort_thread_index(0) % 3 == 1) fail();
    cohort_wait_block();
    fail();  // not reached: the barrier waits for the failed threads
  };
  EXPECT_EQ(cohort::launch(3, 70, kernel).number(), 710);
  std::set<std::string> expected;
  for (uint32_t block = 0; block < 3; ++block) {
    for (uint32_t thread = 1; thread < 70; thread += 3) expected.insert(line(block, thread));
  }
  EXPECT_EQ(reported_lines(), expected);
  expect_device_works();
}

TEST(Assertion, OtherThreadsRunOn) {
  std::atomic<int> finished{0};
  const auto kernel = [&] {
    if (cohort_thread_index(0) == 40) fail();
    finished.fetch_add(1);
  };
  EXPECT_EQ(cohort::launch(2, 64, kernel).number(), 710);
  EXPECT_EQ(finished, 2 * 63);
  EXPECT_EQ(reported_lines(), (std::set<std::string>{line(0, 40), line(1, 40)}));
}

// The body of a loop over a block's threads, as the compiler makes it: stores the thread's index, then runs the thread.
void looped_thread(uint32_t thread, std::atomic<int>& finished) {
  auto* self = const_cast<cohort_thread_context*>(cohort_current_thread);
  self->thread_index[0] = self->thread_rank = thread;
  if (thread % 5 == 2) fail();
  finished.fetch_add(1);
}
void one_looped_thread(void** arguments) {
  looped_thread(cohort_thread_index(0), *static_cast<std::atomic<int>*>(arguments[0]));
}
void looped_block(void** arguments) {
  for (uint32_t thread = 0; thread < cohort_block_dim(0); ++thread) {
    looped_thread(thread, *static_cast<std::atomic<int>*>(arguments[0]));
  }
}

TEST(Assertion, EachFailingThreadOfALoopHasALine) {
  const cohort_kernel kernel = {"k", one_looped_thread, looped_block, 0, 1024, 0, 0, nullptr};
  std::atomic<int> finished{0};
  void* arguments[] = {&finished};
  const cohort_launch launch = {&kernel, arguments, {7, 1, 1}, {63, 1, 1}, 0, 0, 0};
  EXPECT_EQ(cohort_run(&launch), 710);
  std::set<std::string> expected;
  for (uint32_t block = 0; block < 7; ++block) {
    for (uint32_t thread = 2; thread < 63; thread += 5) expected.insert(line(block, thread));
  }
  EXPECT_EQ(reported_lines(), expected);
  EXPECT_EQ(finished, 7 * (63 - 13));
  expect_device_works();
}

TEST(Assertion, ManyLinesAreCounted) {
  EXPECT_EQ(cohort::launch(2, 1000, [] { fail(); }).number(), 710);
  const std::string text = last_report();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1025);
  EXPECT_THAT(text, EndsWith("cohort: 976 more threads failed an assertion; the first 1024 are listed\n"));
}

// How many blocks begin before the first assertion fails depends on how the system schedules the workers; afterwards no
// more begin than a GPU would hold.
TEST(Assertion, LaterBlocksDoNotBegin) {
  const cohort_device& device = *cohort_device_get(0);
  std::atomic<uint32_t> blocks{0};
  uint32_t blocks_at_failure = 0;
  const auto kernel = [&] {
    if (cohort_thread_index(0) == 0) blocks.fetch_add(1);
    if (cohort_block_index(0) != 0) return;
    if (cohort_thread_index(0) != 63) fail();
    blocks_at_failure = blocks;
  };
  EXPECT_EQ(cohort::launch(1000000, 64, kernel).number(), 710);
  EXPECT_GE(blocks_at_failure, 1u);
  EXPECT_LE(blocks, blocks_at_failure + static_cast<uint32_t>(device.sm_count * 32 * 2));
  EXPECT_EQ(reported_lines().size(), 63u);
}

TEST(Assertion, AGridBarrierDoesNotWaitForAFailedThread) {
  const auto kernel = [] {
    if (cohort_block_index(0) == 1 && cohort_thread_index(0) == 3) fail();
    cohort_wait_grid();
  };
  EXPECT_EQ(cohort::launch_cooperative(4, 32, kernel).number(), 710);
  EXPECT_EQ(reported_lines(), (std::set<std::string>{line(1, 3)}));
  expect_device_works();
}

TEST(Assertion, ASpinningThreadDoesNotWaitForAFailedThread) {
  std::atomic<int> flag{0};
  const auto kernel = [&] {
    if (cohort_thread_index(0) == 5) {
      fail();
      flag = 1;
    }
    while (!flag) cohort_wait_yield();
  };
  EXPECT_EQ(cohort::launch(1, 33, kernel).number(), 710);
  EXPECT_EQ(reported_lines(), (std::set<std::string>{line(0, 5)}));
  expect_device_works();
}

TEST(Assertion, AFailureOfAnotherThreadFollowsTheLine) {
  const auto kernel = [] {
    if (cohort_thread_index(0) == 1) fail();
    if (cohort_thread_index(0) == 2) cohort_fail(719, "another reason");
  };
  EXPECT_EQ(cohort::launch(1, 3, kernel).number(), 710);
  EXPECT_THAT(last_report(), HasSubstr(line(0, 1) + "\ncohort: failure in kernel"));
  EXPECT_THAT(last_report(), HasSubstr("another reason"));
}

}  // namespace
