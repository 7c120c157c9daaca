// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split-phase barriers: work between arrive and wait overlaps with the arrival of other threads. Threads may use
// split-phase and ordinary waits in one phase.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "raw_launch.hpp"

namespace {

// Split-phase and plain barriers alternate. A counter shows that no thread passes before all have arrived.
TEST(Split, NobodyPassesBeforeAllArrived) {
  for (int barrier = 0; barrier < cohort_barrier_multi_grid; ++barrier) {
    for (const uint32_t threads : {1u, 40u, 64u, 200u}) {
      constexpr uint32_t rounds = 5, blocks = 2;
      const bool outer = barrier > cohort_barrier_block;
      std::vector<std::atomic<uint32_t>> arrived(blocks * 32);
      std::atomic<int> wrong{0};
      const auto kernel = [&] {
        const uint32_t rank = raw::thread_rank();
        const uint32_t size = barrier < cohort_barrier_block ? 64u << barrier : threads;
        const uint32_t team = outer ? 0 : raw::block_rank() * 32 + rank / size;
        const uint32_t first = rank / size * size;
        const uint32_t members = outer ? blocks * threads : std::min(size, threads - first);
        for (uint32_t round = 1; round <= rounds; ++round) {
          ++arrived[team];
          const uint32_t token = cohort_wait_arrive(barrier, "arrive");
          if (rank % 3 == round % 3) cohort_wait_yield();
          cohort_wait_token(barrier, token, "wait");
          wrong += arrived[team] < members * round;
        }
      };
      raw::shape s{{blocks, 1, 1}, {threads, 1, 1}, {blocks, 1, 1}, 1};
      ASSERT_EQ(raw::launch(s, kernel), 0);
      EXPECT_EQ(wrong, 0) << "barrier " << barrier << ", " << threads << " threads";
    }
  }
}

// A thread waits, between its arrival and its wait, for a flag that another thread sets after the barrier. If arriving
// waited, the launch would hang.
TEST(Split, WorkBetweenTheHalvesOverlaps) {
  for (int barrier = 0; barrier < cohort_barrier_multi_grid; ++barrier) {
    std::atomic<bool> flag{false};
    std::atomic<uint32_t> seen{0};
    const auto kernel = [&] {
      const bool last = raw::block_rank() == 0 && raw::thread_rank() == 5;
      const uint32_t token = cohort_wait_arrive(barrier, "arrive");
      if (raw::block_rank() == 0 && raw::thread_rank() == 60) {
        while (!flag.load()) cohort_wait_yield();
        ++seen;
      }
      cohort_wait_token(barrier, token, "wait");
      if (last) flag = true;
    };
    raw::shape s{{2, 1, 1}, {64, 1, 1}, {2, 1, 1}, 1};
    ASSERT_EQ(raw::launch(s, kernel), 0);
    EXPECT_EQ(seen, 1u) << "barrier " << barrier;
  }
}

TEST(Split, WholeBarriersCountAsArrivals) {
  std::atomic<int> wrong{0}, arrived{0};
  const auto kernel = [&] {
    for (int round = 1; round <= 4; ++round) {
      ++arrived;
      if ((raw::thread_rank() + static_cast<uint32_t>(round)) % 2) {
        const uint32_t token = cohort_wait_arrive(cohort_barrier_block, "arrive");
        cohort_wait_token(cohort_barrier_block, token, "wait");
      } else {
        cohort_wait_block();
      }
      wrong += arrived < 70 * round;
      const uint32_t token = cohort_wait_arrive(cohort_barrier_grid, "arrive");
      cohort_wait_block();  // allowed: the barrier of another group between arrive and wait
      if (raw::thread_rank() % 2) {
        cohort_wait_token(cohort_barrier_grid, token, "wait");
      } else {
        cohort_wait_token(cohort_barrier_grid, token, "wait");
      }
      cohort_wait_grid();
    }
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {70, 1, 1}, {}, 1}, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

TEST(Split, ThreadsThatReturnBetweenTheHalves) {
  for (int barrier = 0; barrier < cohort_barrier_multi_grid; ++barrier) {
    std::atomic<int> passed{0};
    const auto kernel = [&] {
      const uint32_t token = cohort_wait_arrive(barrier, "arrive");
      if (raw::thread_rank() % 4 == 1) return;
      cohort_wait_token(barrier, token, "wait");
      const uint32_t second = cohort_wait_arrive(barrier, "arrive");
      cohort_wait_token(barrier, second, "wait");
      ++passed;
    };
    raw::shape s{{2, 1, 1}, {64, 1, 1}, {2, 1, 1}, 1};
    ASSERT_EQ(raw::launch(s, kernel), 0);
    EXPECT_EQ(passed, 96) << "barrier " << barrier;
  }
}

// Each misuse, at each barrier: the launch fails, and the report names the misuse.
TEST(Split, MisuseIsReported) {
  for (int barrier = 0; barrier < cohort_barrier_multi_grid; ++barrier) {
    raw::shape s{{2, 1, 1}, {64, 1, 1}, {2, 1, 1}, 1};
    const auto whole = [barrier] {
      switch (barrier) {
        case cohort_barrier_block:
          return cohort_wait_block();
        case cohort_barrier_cluster:
          return cohort_wait_cluster();
        case cohort_barrier_grid:
          return cohort_wait_grid();
        default:
          return cohort_wait_team(64u << barrier, nullptr, nullptr, "sync");
      }
    };
    EXPECT_EQ(raw::launch(s,
                          [&] {
                            cohort_wait_arrive(barrier, "arrive");
                            cohort_wait_arrive(barrier, "arrive");
                          }),
              719);
    EXPECT_NE(raw::last_report().find("barrier_arrive() twice without a barrier_wait() in between"), std::string::npos);
    EXPECT_EQ(raw::launch(s,
                          [&] {
                            const uint32_t token = cohort_wait_arrive(barrier, "arrive");
                            cohort_wait_token(barrier, token, "wait");
                            cohort_wait_token(barrier, token, "wait");
                          }),
              719);
    EXPECT_NE(raw::last_report().find("each token can be used once"), std::string::npos) << raw::last_report();
    EXPECT_EQ(raw::launch(s,
                          [&] {
                            const uint32_t token = cohort_wait_arrive(barrier, "arrive");
                            cohort_wait_token(barrier, token, "wait");
                            cohort_wait_arrive(barrier, "arrive");
                            cohort_wait_token(barrier, token, "wait");
                          }),
              719);
    EXPECT_NE(raw::last_report().find("the token of another phase"), std::string::npos) << raw::last_report();
    EXPECT_EQ(raw::launch(s,
                          [&] {
                            const uint32_t token = cohort_wait_arrive(barrier, "arrive");
                            whole();
                            cohort_wait_token(barrier, token, "wait");
                          }),
              719);
    EXPECT_NE(raw::last_report().find("between barrier_arrive() and barrier_wait() of the same thread"),
              std::string::npos)
        << raw::last_report();
    std::atomic<int> ran{0};
    EXPECT_EQ(raw::launch(s, [&] { ++ran; }), 0) << "the device works after it";
    EXPECT_EQ(ran, 128);
  }
}

}  // namespace
