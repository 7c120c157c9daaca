// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers, whose number and thread count are operands of the call: groups of warps, producers that do not wait,
// votes, and misuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "raw_launch.hpp"

namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

uint32_t warps_of(uint32_t threads) { return (threads + 31) / 32; }

// Warps w, w + groups, w + 2 * groups ... meet at barrier w; the last warp may have fewer lanes, and counts as 32.
TEST(Named, EachGroupOfWarpsWaitsForItsOwn) {
  for (const uint32_t threads : {32u, 64u, 96u, 200u, 1024u}) {
    for (const uint32_t groups : {1u, 2u, 3u, 7u}) {
      std::vector<std::atomic<uint32_t>> arrived(groups);
      std::atomic<int> wrong{0};
      const auto kernel = [&] {
        const uint32_t rank = raw::thread_rank(), group = rank / 32 % groups;
        uint32_t warps = 0, members = 0;
        for (uint32_t w = group; w < warps_of(threads); w += groups) {
          ++warps;
          members += std::min(32u, threads - w * 32);
        }
        for (uint32_t round = 1; round <= 5; ++round) {
          ++arrived[group];
          if (rank % 3 == round % 3) cohort_wait_yield();
          cohort_wait_named(group + 1, warps * 32);
          wrong += arrived[group] < members * round || arrived[group] > members * (round + 1);
        }
      };
      ASSERT_EQ(raw::launch({{1, 1, 1}, {threads, 1, 1}}, kernel), 0);
      EXPECT_EQ(wrong, 0) << threads << " threads, " << groups << " groups";
    }
  }
}

// Half of the warps fill a buffer, the others read it: each side waits at one barrier and only arrives at the other.
TEST(Named, ProducersArriveAndConsumersWait) {
  constexpr uint32_t full = 1, empty = 2, rounds = 20;
  for (const uint32_t threads : {64u, 256u, 480u}) {
    const uint32_t half = threads / 2;
    std::vector<uint32_t> buffer(half);
    std::atomic<int> wrong{0};
    const auto kernel = [&] {
      const uint32_t rank = raw::thread_rank();
      const bool produces = rank < half;
      for (uint32_t round = 0; round < rounds; ++round) {
        if (produces) {
          if (round) cohort_wait_named(empty, threads);
          buffer[rank] = round * 1000 + rank;
          cohort_wait_named_arrive(full, threads);
        } else {
          cohort_wait_named(full, threads);
          const uint32_t from = half - 1 - (rank - half);
          wrong += buffer[from] != round * 1000 + from;
          if (round + 1 < rounds) cohort_wait_named_arrive(empty, threads);
        }
      }
    };
    ASSERT_EQ(raw::launch({{2, 1, 1}, {threads, 1, 1}},
                          [&] {
                            if (raw::block_rank() == 0) kernel();
                          }),
              0);
    EXPECT_EQ(wrong, 0) << threads << " threads";
  }
}

TEST(Named, VotesOfSeveralBarriersDoNotMix) {
  constexpr uint32_t threads = 144;  // the last warp has 16 lanes
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    const uint32_t rank = raw::thread_rank(), group = rank / 64;  // 64, 64 and 16 threads
    const uint32_t members = group == 2 ? 16 : 64, count = group == 2 ? 32 : 64;
    for (uint32_t round = 0; round < 4; ++round) {
      if (rank % 5 == round) cohort_wait_yield();
      uint32_t divisible = 0;
      for (uint32_t i = 0; i < members; ++i) divisible += (group * 64 + i) % (round + 2) == 0;
      const bool mine = rank % (round + 2) == 0;
      wrong += cohort_wait_named_count(group, count, mine) != divisible;
      wrong += cohort_wait_named_all(group, count, mine) != 0;
      wrong += cohort_wait_named_all(group, count, 7) != 1;
      wrong += cohort_wait_named_any(group, count, mine) != 1;
      wrong += cohort_wait_named_any(group, count, 0) != 0;
    }
  };
  ASSERT_EQ(raw::launch({{3, 1, 1}, {threads, 1, 1}}, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

// A warp may begin the next phase when one lane of an earlier warp has returned from the last phase: the remaining
// lanes of that warp still get the result of their own phase.
TEST(Named, AResultIsThatOfTheThreadsOwnPhase) {
  std::atomic<uint32_t> turn{0};
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    const uint32_t warp = raw::thread_rank() / 32, lane = raw::thread_rank() % 32;
    while (turn < warp) cohort_wait_yield();
    const uint32_t count = cohort_wait_named_count(3, 32, lane <= warp);
    if (turn == warp) turn = warp + 1;
    wrong += count != warp + 1;
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {512, 1, 1}}, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

// No barrier waits for returned lanes: neither a barrier with a thread count, nor one for all threads.
TEST(Named, ReturnedLanesAreNotMissed) {
  for (const uint32_t count : {0u, 96u}) {
    std::atomic<uint32_t> passed{0}, arrived{0};
    std::atomic<int> wrong{0};
    const auto kernel = [&] {
      const uint32_t rank = raw::thread_rank();
      if (rank % 32 >= 20) {
        for (uint32_t i = 0; i < rank % 4; ++i) cohort_wait_yield();  // some return after the others have arrived
        return;
      }
      ++arrived;
      cohort_wait_named(5, count);
      wrong += arrived != 60;
      ++passed;
    };
    ASSERT_EQ(raw::launch({{1, 1, 1}, {96, 1, 1}}, kernel), 0) << raw::last_report();
    EXPECT_EQ(passed, 60u);
    EXPECT_EQ(wrong, 0);
  }
}

// For all threads of the block, barrier 0 is the one of cohort_wait_block.
TEST(Named, BarrierZeroIsTheBlocks) {
  std::atomic<uint32_t> arrived{0};
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    const uint32_t warp = raw::thread_rank() / 32;
    for (uint32_t round = 1; round <= 3; ++round) {
      ++arrived;
      if (warp == 0) cohort_wait_block();
      if (warp == 1) cohort_wait_named(0, 0);
      if (warp >= 2) cohort_wait_named(0, 128);
      wrong += arrived < 100 * round;
      wrong += (warp % 2 ? cohort_wait_named_count(0, 128, 1) : cohort_wait_block_count(1)) != 100;
    }
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {100, 1, 1}}, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

TEST(Named, ADeadlockNamesBarrierAndCounts) {
  const auto kernel = [] {
    if (raw::thread_rank() < 64) {
      cohort_wait_named(4, 96);
    } else {
      cohort_wait_named(5, 0);
    }
  };
  EXPECT_EQ(raw::launch({{1, 1, 1}, {96, 1, 1}}, kernel), 719);
  EXPECT_THAT(raw::last_report(),
              AllOf(HasSubstr("deadlock"),
                    HasSubstr("64 threads: wait at barrier 4 of the block, where 64 of 96 threads arrived"),
                    HasSubstr("32 threads: wait at barrier 5 of the block, where 32 of 96 threads arrived")));
}

// The thread that arrives first decides which of the two sentences is reported.
void expect_refused(const std::string& sentence, const std::string& other_sentence, void (*kernel)()) {
  EXPECT_EQ(raw::launch({{1, 1, 1}, {128, 1, 1}}, kernel), 719) << sentence;
  EXPECT_THAT(raw::last_report(), AnyOf(HasSubstr(sentence), HasSubstr(other_sentence)));
}
void expect_refused(const std::string& sentence, void (*kernel)()) { expect_refused(sentence, sentence, kernel); }

TEST(Named, MisuseIsNamed) {
  expect_refused("barrier 16 of a block: barriers have the numbers 0 to 15", [] { cohort_wait_named(16, 32); });
  expect_refused("barrier 1 for 48 threads: the count must be a multiple of 32", [] { cohort_wait_named(1, 48); });
  expect_refused("barrier 1 for 160 threads in a block of 128: it would never be complete",
                 [] { cohort_wait_named(1, 160); });
  expect_refused("barrier 1 for 64 threads while others have arrived at it for 128 threads",
                 "barrier 1 for 128 threads while others have arrived at it for 64 threads",
                 [] { cohort_wait_named(1, raw::thread_rank() < 32 ? 128 : 64); });
  expect_refused("barrier 1 for 128 threads while others have arrived at it for all threads of the block",
                 "barrier 1 for all threads of the block while others have arrived at it for 128 threads",
                 [] { cohort_wait_named(1, raw::thread_rank() < 32 ? 0 : 128); });
  expect_refused("barrier 1 with another operation than that of the threads which have arrived", [] {
    if (raw::thread_rank() < 32) {
      cohort_wait_named(1, 128);
    } else {
      cohort_wait_named_any(1, 128, 1);
    }
  });
  expect_refused("barrier 1 twice by one thread in one phase: ", [] {
    cohort_wait_named_arrive(1, 128);
    cohort_wait_named_arrive(1, 128);
  });
  expect_refused("bar.arrive at barrier 1 for 0 threads", [] { cohort_wait_named_arrive(1, 0); });
  expect_refused("bar.arrive at barrier 0 for all threads of the block", [] { cohort_wait_named_arrive(0, 128); });
}

// A block begins with all barriers unused, whatever the worker's previous block or a failed launch has left in them.
TEST(Named, ABlockBeginsAnew) {
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    wrong += raw::thread_rank() < 32 && raw::block_rank() % 2 && cohort_wait_named_count(1, 32, 1) != 32;
    if (raw::block_rank() % 2 == 0) cohort_wait_named_arrive(1, 128);
  };
  EXPECT_EQ(raw::launch({{64, 1, 1}, {64, 1, 1}}, kernel), 719);  // 128 threads in a block of 64
  const auto leaves_arrivals = [&] {
    if (raw::thread_rank() < 32) cohort_wait_named_arrive(1, 64);
    if (raw::thread_rank() >= 32) wrong += cohort_wait_named_count(2, 32, 1) != 32;
  };
  EXPECT_EQ(raw::launch({{64, 1, 1}, {64, 1, 1}}, leaves_arrivals), 0);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
