// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges of values in teams: tiles of 64 to 1024 threads and the block.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "raw_launch.hpp"
#include "team_sum.hpp"

namespace {

using raw::item;
using raw::resolve_sum;

void resolve_nothing(uint32_t, void* const*) {}

item model(uint32_t size, uint32_t threads, uint32_t rank, uint32_t left_from, uint64_t factor) {
  const uint32_t first = size ? rank / size * size : 0;
  const uint32_t end = size ? std::min(first + size, threads) : threads;
  item sum{0, 0};
  for (uint32_t r = first; r < std::min(end, left_from); ++r) {
    sum.value += (r + 1) * factor;
    ++sum.members;
  }
  return sum;
}

TEST(Team, EverySizeAliveAtOnceAndBackToBack) {
  for (const uint32_t threads : {1u, 63u, 64u, 65u, 130u, 256u, 333u, 700u, 1024u}) {
    std::atomic<int> wrong{0};
    const auto kernel = [&] {
      const uint32_t rank = raw::thread_rank();
      for (uint32_t round = 1; round <= 3; ++round) {
        for (const uint32_t size : {64u, 1024u, 0u, 128u, 512u, 256u}) {
          item mine{(rank + 1) * uint64_t{round}};
          cohort_wait_team(size, resolve_sum, &mine, "sum");
          const item expected = model(size, threads, rank, threads, round);
          wrong += mine.value != expected.value || mine.members != expected.members;
        }
      }
    };
    ASSERT_EQ(raw::launch({{3, 1, 1}, {threads, 1, 1}}, kernel), 0);
    EXPECT_EQ(wrong, 0) << threads << " threads";
  }
}

TEST(Team, ThreadsThatReturnedDropOut) {
  for (const uint32_t stay : {1u, 31u, 70u, 199u}) {
    std::atomic<int> wrong{0};
    const auto kernel = [&] {
      const uint32_t rank = raw::thread_rank();
      if (rank >= stay) {
        if (rank % 3 == 0) cohort_wait_yield();  // some return before the others arrive, some after
        return;
      }
      for (const uint32_t size : {0u, 64u, 128u}) {
        item mine{rank + 1};
        cohort_wait_team(size, resolve_sum, &mine, "sum");
        // Yielding threads may return during the first collective, which then does not count them.
        const item expected = model(size, 200, rank, stay, 1);
        wrong += mine.value != expected.value || mine.members != expected.members;
      }
    };
    ASSERT_EQ(raw::launch({{2, 1, 1}, {200, 1, 1}}, kernel), 0);
    EXPECT_EQ(wrong, 0) << stay << " threads stay";
  }
}

TEST(Team, NestedWithBlockAndWarpBarriers) {
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    const uint32_t rank = raw::thread_rank();
    item mine{rank + 1};
    if (rank < 128) cohort_wait_team(128, resolve_sum, &mine, "sum");  // only one tile of the three calls
    cohort_wait_block();
    wrong += rank < 128 ? mine.value != model(128, 300, rank, 300, 1).value : mine.value != rank + 1;
    cohort_wait_warp(rank < 288 ? ~0u : 0xfffu, nullptr, nullptr, "warp");
    mine = {1};
    cohort_wait_team(0, resolve_sum, &mine, "sum");
    wrong += mine.value != 300;
  };
  ASSERT_EQ(raw::launch({{2, 1, 1}, {20, 15, 1}}, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

TEST(Team, DifferentCollectivesOfOneTeamAreRefused) {
  const auto kernel = [&] {
    item mine{0};
    cohort_wait_team(64, raw::thread_rank() < 40 ? resolve_sum : resolve_nothing, &mine,
                     raw::thread_rank() < 40 ? "sum" : "nothing");
  };
  EXPECT_EQ(raw::launch({{1, 1, 1}, {64, 1, 1}}, kernel), 719);
  std::string report(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(report.data(), report.size() + 1);
  EXPECT_NE(report.find("nothing of a thread_block_tile<64> while other threads of the group wait in sum"),
            std::string::npos)
      << report;
}

TEST(Team, ExchangeAreaIsTheBlocksOwn) {
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    const uint32_t rank = raw::thread_rank();
    uint32_t* mine = reinterpret_cast<uint32_t*>(cohort_exchange() + rank * cohort_exchange_bytes);
    for (int i = 0; i < 8; ++i) mine[i] = raw::block_rank() * 1000 + rank * 8 + static_cast<uint32_t>(i);
    cohort_wait_block();
    for (int i = 0; i < 8; ++i) wrong += mine[i] != raw::block_rank() * 1000 + rank * 8 + static_cast<uint32_t>(i);
    wrong += reinterpret_cast<uintptr_t>(cohort_exchange()) % 64 != 0;
  };
  ASSERT_EQ(raw::launch({{5, 1, 1}, {77, 1, 1}}, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
