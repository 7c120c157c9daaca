// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a block that end at a barrier of a larger group (cohort_wait_outer_team).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "raw_launch.hpp"
#include "team_sum.hpp"

namespace {

using raw::item;
using raw::resolve_sum;

constexpr int outer_barriers[] = {cohort_barrier_cluster, cohort_barrier_grid, cohort_barrier_multi_grid};

// Launches two blocks of `threads` threads, which form a cluster, a grid and a multi-grid.
template <class Kernel>
int launch_blocks(uint32_t threads, const Kernel& kernel) {
  return raw::launch_multi_device({{2, 1, 1}, {threads, 1, 1}, {2, 1, 1}, 1}, {0}, kernel);
}

std::atomic<uint32_t> resolved{0};

void resolve_and_count(uint32_t count, void* const* operands) {
  resolve_sum(count, operands);
  ++resolved;
}

void resolve_other(uint32_t, void* const*) {}

void wait_plainly(int barrier) {
  if (barrier == cohort_barrier_cluster) return cohort_wait_cluster();
  if (barrier == cohort_barrier_grid) return cohort_wait_grid();
  return cohort_wait_multi_grid();
}

// Some threads arrive later than their order in the block.
void disturb(uint32_t number) {
  if (number % 3 == 0) cohort_wait_yield();
}

TEST(OuterTeam, EachBlockIsResolvedBeforeAnyThreadContinues) {
  for (const int barrier : outer_barriers) {
    for (const uint32_t threads : {1u, 31u, 64u, 100u, 257u}) {
      std::atomic<int> wrong{0};
      resolved = 0;
      const auto kernel = [&] {
        const uint32_t rank = raw::thread_rank();
        for (uint32_t round = 1; round <= 4; ++round) {
          item mine{rank + round};
          disturb(rank + round);
          cohort_wait_outer_team(barrier, resolve_and_count, &mine, "sum");
          wrong += resolved < 2 * round;
          wrong += mine.value != uint64_t{threads} * (threads - 1) / 2 + uint64_t{threads} * round;
          wrong += mine.members != threads;
          if (round % 2 == 0) wait_plainly(barrier);  // uses the same barrier, in a phase of its own
          if (round == 3) cohort_wait_block();
        }
      };
      ASSERT_EQ(launch_blocks(threads, kernel), 0);
      EXPECT_EQ(wrong, 0) << "barrier " << barrier << ", " << threads << " threads";
      EXPECT_EQ(resolved, 8u);
    }
  }
}

// Threads return before the others arrive, or as the last threads that are missing: then the return completes the
// collective.
TEST(OuterTeam, ThreadsThatReturnedDropOut) {
  for (const int barrier : outer_barriers) {
    for (const uint32_t stay : {1u, 31u, 70u, 149u}) {
      std::atomic<int> wrong{0};
      const auto kernel = [&] {
        const uint32_t rank = raw::thread_rank();
        item mine{rank + 1};
        cohort_wait_team(0, resolve_sum, &mine, "sum");  // leaves an operand of each thread behind
        if (rank >= stay) {
          for (uint32_t turn = rank % 3; turn > 0; --turn) cohort_wait_yield();
          return;
        }
        for (int round = 0; round < 2; ++round) {
          mine = {rank + 1};
          cohort_wait_outer_team(barrier, resolve_sum, &mine, "sum");
          wrong += mine.value != uint64_t{stay} * (stay + 1) / 2 || mine.members != stay;
        }
      };
      ASSERT_EQ(launch_blocks(150, kernel), 0);
      EXPECT_EQ(wrong, 0) << "barrier " << barrier << ", " << stay << " threads stay";
    }
  }
}

TEST(OuterTeam, ThreadsMayHaveUsedSplitPhaseBarriers) {
  for (const int barrier : outer_barriers) {
    std::atomic<int> wrong{0};
    const auto kernel = [&] {
      for (uint32_t round = 1; round <= 3; ++round) {
        cohort_wait_token(barrier, cohort_wait_arrive(barrier, "arrive"), "wait");
        item mine{round};
        cohort_wait_outer_team(barrier, resolve_sum, &mine, "sum");
        wrong += mine.value != uint64_t{90} * round;
      }
    };
    ASSERT_EQ(launch_blocks(90, kernel), 0);
    EXPECT_EQ(wrong, 0) << "barrier " << barrier;
  }
}

template <class Kernel>
std::string report_of(const Kernel& kernel) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch_blocks(64, kernel), 719);
  return testing::internal::GetCapturedStderr();
}

void expect_words(const std::string& report, const std::string& words) {
  EXPECT_NE(report.find(words), std::string::npos) << report << "\nhas not: " << words;
}

// The order of the threads, which COHORT_SCHEDULE changes, decides which of two waits is refused.
void expect_either(const std::string& report, const std::string& words, const std::string& others) {
  expect_words(report, report.find(others) == std::string::npos ? words : others);
}

const char* group_of(int barrier) {
  return barrier == cohort_barrier_cluster ? "cluster_group"
         : barrier == cohort_barrier_grid  ? "grid_group"
                                           : "multi_grid_group";
}

TEST(OuterTeam, OtherWaitsOfTheGroupAreRefused) {
  for (const int barrier : outer_barriers) {
    const std::string group = group_of(barrier);
    const std::string others = " of a " + group + " while other threads of the group wait in ";
    for (const bool first : {false, true}) {
      const auto chosen = [first] { return (raw::thread_rank() < 40) == first; };
      const auto with_sync = [&] {
        item mine{0};
        if (chosen()) return wait_plainly(barrier);
        cohort_wait_outer_team(barrier, resolve_sum, &mine, "sum");
      };
      expect_either(report_of(with_sync), "sum" + others + "sync", "sync" + others + "sum");
      const auto with_another = [&] {
        item mine{0};
        cohort_wait_outer_team(barrier, chosen() ? resolve_sum : resolve_other, &mine, chosen() ? "sum" : "nothing");
      };
      expect_either(report_of(with_another), "nothing" + others + "sum", "sum" + others + "nothing");
    }
    const auto with_arrival = [&] {
      item mine{0};
      if (raw::thread_rank() < 40) return cohort_wait_outer_team(barrier, resolve_sum, &mine, "sum");
      cohort_wait_token(barrier, cohort_wait_arrive(barrier, "arrive"), "wait");
    };
    expect_either(report_of(with_arrival), "sum" + others + "sync",
                  group + ".barrier_arrive() while other threads of the group wait in another");
    const auto behind_arrival = [&] {
      item mine{0};
      (void)cohort_wait_arrive(barrier, "arrive");
      cohort_wait_outer_team(barrier, resolve_sum, &mine, "sum");
    };
    expect_words(report_of(behind_arrival), group + ".sync() between barrier_arrive() and barrier_wait()");
  }
}

// The report names no source place of a wait in an earlier launch, which failed.
TEST(OuterTeam, AMissingThreadIsReported) {
  for (const int barrier : outer_barriers) {
    const auto earlier = [&] {
      if (raw::thread_rank() == 63) return cohort_wait_warp(3u << 30, nullptr, nullptr, "pair");
      if (raw::thread_rank() != 44) return wait_plainly(barrier);
      cohort_wait_token(barrier, cohort_wait_arrive(barrier, "arrive"), "wait");
    };
    expect_words(report_of(earlier), "where 63 of 64 threads of the block arrived");
    const auto kernel = [&] {
      item mine{0};
      if (raw::thread_rank() == 63) return cohort_wait_warp(3u << 30, nullptr, nullptr, "pair");
      cohort_wait_outer_team(barrier, resolve_sum, &mine, "sum");
    };
    expect_words(report_of(kernel), "63 threads: wait in sum of the " + std::string(group_of(barrier)) +
                                        ", where 63 of 64 threads of the block arrived");
  }
}

TEST(OuterTeam, OtherLaunchesAreRefused) {
  const auto kernel = [] {
    item mine{0};
    cohort_wait_outer_team(cohort_barrier_grid, resolve_sum, &mine, "sum");
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(raw::launch({{2, 1, 1}, {32, 1, 1}}, kernel), 719);
  expect_words(testing::internal::GetCapturedStderr(), "sum of a grid_group in a launch that is not cooperative");
}

TEST(OuterTeam, OperatorsCannotWait) {
  const cohort_resolve_team resolve = [](uint32_t, void* const*) { cohort_wait_block(); };
  const auto kernel = [&] {
    item mine{0};
    cohort_wait_outer_team(cohort_barrier_grid, resolve, &mine, "sum");
  };
  expect_words(report_of(kernel), "a collective was called by the operator of another collective");
}

}  // namespace
