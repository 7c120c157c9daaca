// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative grids: the grid's barrier, the largest grid that is admitted, and the refusal of one more block.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "cohort/launch.hpp"
#include "engine/fiber/sanitizer.hpp"

namespace {

TEST(Cooperative, GridBarrierOrdersAllBlocks) {
  for (const unsigned blocks : {1u, 2u, 3u, 7u}) {
    for (const unsigned threads : {1u, 33u, 128u}) {
      constexpr int rounds = 6;
      std::vector<std::atomic<int>> board(blocks);
      std::atomic<int>* cells = board.data();
      std::atomic<int> wrong{0};
      const auto kernel = [=, &wrong] {
        const unsigned b = cohort_block_index(0);
        for (int round = 1; round <= rounds; ++round) {
          if (cohort_current_thread->thread_rank == threads - 1) cells[b] = round;
          cohort_wait_grid();
          for (unsigned other = 0; other < blocks; ++other) wrong += cells[other] != round;
          cohort_wait_grid();
        }
      };
      ASSERT_EQ(cohort::launch_cooperative(blocks, threads, kernel).number(), 0);
      EXPECT_EQ(wrong, 0);
    }
  }
}

// The parameter is the number of threads of a block.
class LargestGrid : public ::testing::TestWithParam<unsigned> {};

TEST_P(LargestGrid, RunsAndOneBlockMoreIsRefused) {
  const unsigned threads = GetParam();
#if defined(COHORT_TSAN)
  if (threads < 1000) GTEST_SKIP() << "more fibers than ThreadSanitizer can hold";
#endif
  const cohort_device& device = *cohort_device_get(0);
  const cohort_kernel probe = {"probe", nullptr, nullptr, 0, 1024, 0, 0, nullptr};
  const int per_sm = cohort_max_blocks_per_sm(&probe, 0, threads, 0);
  const int by_architecture = std::min<int>(32, 2048 / static_cast<int>((threads + 31) / 32 * 32));
  ASSERT_GT(per_sm, 0);
  ASSERT_LE(per_sm, by_architecture);
  if (!std::getenv("COHORT_SMS")) {
    EXPECT_EQ(per_sm, by_architecture) << "any machine has the memory for the default";
  }
  const unsigned largest = static_cast<unsigned>(per_sm * device.sm_count);
  std::atomic<unsigned> before{0}, wrong{0};
  const auto kernel = [&] {
    ++before;
    cohort_wait_grid();
    wrong += before != largest * threads;
  };
  ASSERT_EQ(cohort::launch_cooperative(largest, threads, kernel).number(), 0);
  EXPECT_EQ(before, largest * threads);
  EXPECT_EQ(wrong, 0u);
  before = 0;
  EXPECT_EQ(cohort::launch_cooperative(largest + 1, threads, kernel).number(), 720);
  EXPECT_EQ(before, 0u) << "nothing of a refused launch runs";
}

INSTANTIATE_TEST_SUITE_P(Threads, LargestGrid, ::testing::Values(32u, 256u, 1000u, 1024u),
                         ::testing::PrintToStringParamName());

TEST(Cooperative, ThreadsThatReturnedDoNotHoldUpTheGrid) {
  std::atomic<int> passed{0};
  const auto kernel = [&] {
    if (cohort_current_thread->thread_rank % 2) return;
    cohort_wait_grid();
    ++passed;
  };
  ASSERT_EQ(cohort::launch_cooperative(4, 64, kernel).number(), 0);
  EXPECT_EQ(passed, 4 * 32);
}

TEST(Cooperative, KernelKnowsHowItWasLaunched) {
  std::atomic<int> valid{0};
  const auto kernel = [&] { valid += cohort_grid_is_cooperative(); };
  ASSERT_EQ(cohort::launch(2, 3, kernel).number(), 0);
  EXPECT_EQ(valid, 0);
  ASSERT_EQ(cohort::launch_cooperative(2, 3, kernel).number(), 0);
  EXPECT_EQ(valid, 6);
}

}  // namespace
