// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait for each other through memory make progress.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "cohort/launch.hpp"

namespace {

void wait_until(const std::atomic<int>& flag, int value) {
  while (flag.load() != value) cohort_wait_yield();
}

TEST(Spin, FlagBetweenThreadsOfABlockInBothDirections) {
  std::atomic<int> there{0}, back{0};
  const auto kernel = [&] {
    const unsigned me = cohort_current_thread->thread_rank;
    for (int round = 1; round <= 5; ++round) {
      if (me == 0) {
        there = round;
        wait_until(back, round);
      } else if (me == 40) {
        wait_until(there, round);
        back = round;
      }
    }
  };
  ASSERT_EQ(cohort::launch(1, 64, kernel).number(), 0);
  EXPECT_EQ(back, 5);
}

// In a plain grid the blocks run one after another unless one of them only spins.
TEST(Spin, FlagBetweenBlocksInBothDirections) {
  constexpr int blocks = 12;
  for (const bool forward : {true, false}) {
    std::vector<std::atomic<int>> done(blocks);
    std::atomic<int>* flags = done.data();
    const auto kernel = [=] {
      const int b = static_cast<int>(cohort_block_index(0));
      const int other = forward ? b - 1 : b + 1;
      if (cohort_current_thread->thread_rank == 0 && other >= 0 && other < blocks) wait_until(flags[other], 1);
      cohort_wait_block();
      if (cohort_current_thread->thread_rank == 31) flags[b] = 1;
    };
    ASSERT_EQ(cohort::launch(blocks, 32, kernel).number(), 0);
    for (auto& flag : done) EXPECT_EQ(flag, 1);
  }
}

// Each block waits for the next one, and one multiprocessor holds 32 of them. CMake runs this test with COHORT_SMS=1.
TEST(Spin, MoreBlocksThanAreResident) {
  constexpr int blocks = 150;
  std::vector<std::atomic<int>> done(blocks + 1);
  done[blocks] = 1;
  std::atomic<int>* flags = done.data();
  const auto kernel = [=] {
    const int b = static_cast<int>(cohort_block_index(0));
    wait_until(flags[b + 1], 1);
    cohort_wait_block();
    if (cohort_current_thread->thread_rank == 31) flags[b] = 1;
  };
  ASSERT_EQ(cohort::launch(blocks, 32, kernel).number(), 0);
  for (auto& flag : done) EXPECT_EQ(flag, 1);
}

TEST(Spin, LockBetweenTheLanesOfAWarp) {
  std::atomic<int> lock{0};
  int counter = 0;
  const auto kernel = [&] {
    for (int round = 0; round < 3; ++round) {
      while (lock.exchange(1)) cohort_wait_yield();
      const int seen = counter;
      cohort_wait_yield();  // without the lock, other lanes would change `counter` here
      counter = seen + 1;
      lock = 0;
    }
  };
  ASSERT_EQ(cohort::launch(1, 96, kernel).number(), 0);
  EXPECT_EQ(counter, 3 * 96);
}

// One lane holds a lock and waits for convergence while other lanes spin on the lock: the wait must not wait for
// spinning lanes.
TEST(Spin, LaneLockBesideConvergence) {
  std::atomic<int> lock{0};
  int counter = 0;
  std::vector<uint32_t> masks(32, 0);
  uint32_t* out = masks.data();
  const auto kernel = [&, out] {
    const unsigned me = cohort_current_thread->thread_rank;
    while (lock.exchange(1)) cohort_wait_yield();
    out[me] = cohort_wait_converged();
    ++counter;
    lock = 0;
  };
  ASSERT_EQ(cohort::launch(1, 32, kernel).number(), 0);
  EXPECT_EQ(counter, 32);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(masks[i], 1u << i);
}

TEST(Spin, SleepingThreadsLetOthersRun) {
  std::atomic<int> flag{0};
  const auto kernel = [&] {
    if (cohort_current_thread->thread_rank == 0) {
      while (flag == 0) cohort_wait_sleep(100);
    } else if (cohort_current_thread->thread_rank == 5) {
      flag = 1;
    }
  };
  EXPECT_EQ(cohort::launch(2, 8, kernel).number(), 0);
}

}  // namespace
