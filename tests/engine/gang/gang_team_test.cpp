// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams of gangs: tiles that hold several gangs, gangs that hold several tiles, and the block.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "raw_gang.hpp"
#include "team_sum.hpp"

namespace {

using raw::item;
using raw::resolve_sum;

// The result for the team of `rank`, where the threads with `is_live(rank)` take part and each passes rank + 1.
template <class Test>
item model(uint32_t size, uint32_t threads, uint32_t rank, Test is_live) {
  const uint32_t first = size ? rank / size * size : 0;
  const uint32_t end = size ? std::min(first + size, threads) : threads;
  item sum{0, 0};
  for (uint32_t r = first; r < end; ++r) {
    if (!is_live(r)) continue;
    sum.value += r + 1;
    ++sum.members;
  }
  return sum;
}

// All sizes, also after threads have returned: first some of each tile, then all threads of some tiles.
TEST(GangTeam, EverySizeInEveryWidth) {
  for (const uint32_t width : {32u, 64u, 96u, 128u, 512u, 1024u}) {
    for (const uint32_t threads : {1u, 63u, 64u, 130u, 256u, 700u, 1024u}) {
      std::atomic<int> wrong{0};
      const auto kernel = [&](const cohort_gang& g) {
        raw::lane_set lanes(g);
        for (uint32_t round = 0; round < 3; ++round) {
          const auto returned = [&](uint32_t rank) {
            return (round > 0 && rank % 5 == 3) || (round > 1 && rank / 64 % 3 == 1);
          };
          if (!lanes.remove_if(returned)) return;
          for (const uint32_t size : {64u, 1024u, 0u, 128u, 512u, 256u}) {
            std::vector<item> items(g.lanes);
            void* operands[1024];
            for (void*& operand : operands) operand = &operand;  // operands of missing lanes are not read
            lanes.each([&](uint32_t rank, uint32_t lane) {
              items[lane] = {rank + 1u, 0};
              operands[lane] = &items[lane];
            });
            cohort_gang_wait_team(size, resolve_sum, operands, lanes.mask(), "sum");
            lanes.each([&](uint32_t rank, uint32_t lane) {
              const item expected = model(size, threads, rank, [&](uint32_t r) { return !returned(r); });
              wrong += items[lane].value != expected.value || items[lane].members != expected.members;
            });
            cohort_gang_wait_team(size, nullptr, nullptr, lanes.mask(), "sync");
          }
        }
      };
      ASSERT_EQ(raw::launch_gangs({{3, 1, 1}, {threads, 1, 1}}, width, kernel), 0);
      EXPECT_EQ(wrong, 0) << width << ' ' << threads;
    }
  }
}

// Tiles of a block make progress independently: gangs of one tile run through many collectives while those of another
// wait for the block.
TEST(GangTeam, TilesDoNotWaitForEachOther) {
  std::atomic<int> wrong{0};
  std::atomic<uint32_t> finished{0};
  const auto kernel = [&](const cohort_gang& g) {
    for (uint32_t round = 0; round < 2 + g.first_rank / 128 * 50; ++round) {
      cohort_gang_wait_team(128, nullptr, nullptr, nullptr, "sync");
    }
    ++finished;
    cohort_gang_wait_block(nullptr);
    wrong += finished != 8;
  };
  ASSERT_EQ(raw::launch_gangs({{1, 1, 1}, {256, 1, 1}}, 32, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

// A thread that waits for its tile is released by threads of other gangs that return.
TEST(GangTeam, ReturningThreadsReleaseTheirTile) {
  std::atomic<int> passed{0};
  const auto kernel = [&](const cohort_gang& g) {
    if (g.first_rank % 64 == 32) return;
    cohort_gang_wait_team(64, nullptr, nullptr, nullptr, "sync");
    cohort_gang_wait_block(nullptr);
    passed += static_cast<int>(g.lanes);
  };
  ASSERT_EQ(raw::launch_gangs({{2, 1, 1}, {256, 1, 1}}, 32, kernel), 0);
  EXPECT_EQ(passed, 2 * 128);
}

}  // namespace
