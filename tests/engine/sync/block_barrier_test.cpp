// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block's barrier: order, predicates, threads that returned.
#include <gtest/gtest.h>

#include <vector>

#include "cohort/cohort.hpp"
#include "cohort/launch.hpp"
#include "cohort/shared.hpp"
#include "engine/fiber/sanitizer.hpp"

namespace {

class Barrier : public ::testing::TestWithParam<unsigned> {};

// In each round every thread publishes a value and reads that of a thread at a distance that changes each round.
TEST_P(Barrier, NobodyPassesBeforeAllArrived) {
  const unsigned threads = GetParam();
  constexpr unsigned rounds = 7;
  constexpr unsigned blocks = 3;
  std::vector<int> wrong(blocks * threads, 0);
  int* out = wrong.data();
  const auto kernel = [=] {
    unsigned(&board)[1024] = cohort::shared<unsigned[1024], struct board_tag>();
    const auto block = cohort::this_thread_block();
    const unsigned me = block.thread_rank();
    for (unsigned round = 0; round < rounds; ++round) {
      board[me] = me * 100 + round;
      block.sync();
      const unsigned other = (me + round * 37 + 1) % threads;
      out[cohort_block_index(0) * threads + me] += board[other] != other * 100 + round;
      block.sync();
    }
  };
  ASSERT_EQ(cohort::launch(blocks, threads, kernel).number(), 0);
  for (unsigned i = 0; i < blocks * threads; ++i) EXPECT_EQ(wrong[i], 0) << "thread " << i;
}

TEST_P(Barrier, CountsPredicates) {
  const unsigned threads = GetParam();
  std::vector<unsigned> counts(threads * 3, ~0u);
  unsigned* out = counts.data();
  const auto kernel = [=] {
    const unsigned me = cohort_current_thread->thread_rank;
    out[me * 3] = cohort_wait_block_count(me % 3 == 0 ? -5 : 0);
    out[me * 3 + 1] = cohort_wait_block_count(0);
    cohort_wait_block();
    out[me * 3 + 2] = cohort_wait_block_count(1);
  };
  ASSERT_EQ(cohort::launch(1, threads, kernel).number(), 0);
  for (unsigned i = 0; i < threads; ++i) {
    EXPECT_EQ(counts[i * 3], (threads + 2) / 3);
    EXPECT_EQ(counts[i * 3 + 1], 0u);
    EXPECT_EQ(counts[i * 3 + 2], threads);
  }
}

// Thread i takes part in i rounds: each barrier waits for the threads that have not returned.
TEST_P(Barrier, ThreadsThatReturnedDoNotTakePart) {
  const unsigned threads = GetParam();
  constexpr unsigned blocks = 2;
  std::vector<unsigned> left(blocks * threads, 0);
  unsigned* out = left.data();
  const auto kernel = [=] {
    const unsigned me = cohort_current_thread->thread_rank;
    const unsigned rounds = me * 5 / threads;
    for (unsigned round = 0; round < rounds; ++round) {
      out[cohort_block_index(0) * threads + me] = cohort_wait_block_count(1);
    }
  };
  ASSERT_EQ(cohort::launch(blocks, threads, kernel).number(), 0);
  for (unsigned i = 0; i < blocks * threads; ++i) {
    const unsigned rounds = i % threads * 5 / threads;
    unsigned present = 0;
    for (unsigned j = 0; j < threads; ++j) present += j * 5 / threads >= rounds;
    EXPECT_EQ(left[i], rounds ? present : 0u) << "thread " << i;
  }
}

#if defined(COHORT_TSAN)  // with ThreadSanitizer the cost of a switch grows with the number of fibers
INSTANTIATE_TEST_SUITE_P(Sizes, Barrier, ::testing::Values(1u, 2u, 31u, 33u, 64u));
#else
INSTANTIATE_TEST_SUITE_P(Sizes, Barrier, ::testing::Values(1u, 2u, 31u, 32u, 33u, 63u, 255u, 256u, 1000u, 1024u));
#endif

TEST(Barrier, WaitsInDifferentPlacesAreOneBarrier) {
  std::vector<int> seen(64, 0);
  int* out = seen.data();
  int flag = 0;
  const auto kernel = [out, &flag] {
    const unsigned me = cohort_current_thread->thread_rank;
    if (me % 2) {
      if (me == 1) flag = 7;
      cohort_wait_block();
    } else {
      cohort_wait_block();
    }
    out[me] = flag;
  };
  ASSERT_EQ(cohort::launch(1, 64, kernel).number(), 0);
  for (int value : seen) EXPECT_EQ(value, 7);
}

}  // namespace
