// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of gangs that a worker runs one after another in the storage of the first: each begins as if it were the only
// one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "raw_gang.hpp"
#include "team_sum.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(GangBlocks, EachBlockRunsOnceWithItsIndex) {
  const uint32_t grids[][3] = {{1, 1, 1}, {2000, 1, 1}, {7, 11, 13}, {1, 3, 1000}, {1, 1, 129}, {64, 2, 1}};
  for (const auto& grid : grids) {
    for (const uint32_t threads : {1u, 96u, 100u, 256u}) {
      for (const uint32_t width : {32u, 256u}) {
        const uint32_t blocks = grid[0] * grid[1] * grid[2];
        std::vector<std::atomic<uint32_t>> lanes_of(blocks);
        std::atomic<int> wrong{0};
        const auto kernel = [&](const cohort_gang& g) {
          const cohort_block_context& b = *cohort_current_thread->block;
          const uint32_t rank = raw::block_rank();
          for (int axis = 0; axis < 3; ++axis) wrong += b.block_index[axis] >= grid[axis];
          for (uint32_t lane = 0; lane < g.lanes; ++lane) wrong += !(g.looping[lane / 32] >> lane % 32 & 1);
          lanes_of[rank] += g.lanes;
          g.looping[0] = 0;
          cohort_gang_wait_block(nullptr);
          wrong += lanes_of[rank] != threads || raw::block_rank() != rank;
        };
        ASSERT_EQ(raw::launch_gangs({{grid[0], grid[1], grid[2]}, {threads, 1, 1}}, width, kernel), 0);
        EXPECT_EQ(wrong, 0) << blocks << ' ' << threads << ' ' << width;
        for (const auto& lanes : lanes_of) ASSERT_EQ(lanes, threads);
      }
    }
  }
}

// A block leaves nothing to the next one: lanes that returned early, votes, collectives, arrivals, and the barrier of a
// cluster of one block.
TEST(GangBlocks, NothingRemainsOfTheBlockBefore) {
  for (const uint32_t threads : {1u, 64u, 100u, 256u, 300u}) {
    for (const uint32_t width : {32u, 128u, 256u, 1024u}) {
      std::atomic<int> wrong{0}, ends{0};
      const auto kernel = [&](const cohort_gang& g) {
        const uint32_t kind = cohort_current_thread->block->block_index[0] % 6;
        raw::lane_set lanes(g);
        uint32_t here = threads;
        if (kind == 1) {
          if (!lanes.remove_if([](uint32_t rank) { return rank % 3 == 0; })) return;
          here = threads - (threads + 2) / 3;
        }
        if (kind == 2) {
          std::vector<raw::item> items(g.lanes);
          void* operands[1024];
          for (uint32_t lane = 0; lane < g.lanes; ++lane) {
            items[lane] = {1, 0};
            operands[lane] = &items[lane];
          }
          cohort_gang_wait_team(64, raw::resolve_sum, operands, lanes.mask(), "sum");
          for (const raw::item& i : items) wrong += i.value != i.members;
        }
        if (kind == 3) cohort_gang_wait_arrive(cohort_barrier_block, lanes.mask(), "arrive");
        if (kind == 3) {
          const std::vector<uint32_t> newest(g.lanes, COHORT_NEWEST_ARRIVAL);
          cohort_gang_wait_token(cohort_barrier_block, newest.data(), lanes.mask(), "wait");
        }
        if (kind == 4) cohort_gang_wait_cluster(lanes.mask());
        if (kind == 5 && g.first_rank == 0) return;  // one gang returns, the others wait
        if (kind == 5) here = threads - std::min(threads, width);
        uint32_t predicates[32] = {};
        lanes.each([&](uint32_t, uint32_t lane) { predicates[lane / 32] |= 1u << lane % 32; });
        wrong += cohort_gang_wait_block_count(predicates, lanes.mask()) != here;
        lanes.each([&](uint32_t, uint32_t) { ++ends; });
      };
      constexpr uint32_t rounds = 50;
      ASSERT_EQ(raw::launch_gangs({{6 * rounds, 1, 1}, {threads, 1, 1}}, width, kernel), 0);
      EXPECT_EQ(wrong, 0) << threads << ' ' << width;
      const uint32_t per_round = 4 * threads + (threads - (threads + 2) / 3) + threads - std::min(threads, width);
      EXPECT_EQ(ends, static_cast<int>(rounds * per_round)) << threads << ' ' << width;
    }
  }
}

TEST(GangBlocks, FaultNamesALaterBlock) {
  const auto fails = [](uint32_t rank) {
    return cohort_block_index(0) == 3 && cohort_block_index(1) == 77 && rank == 9;
  };
  const auto gang = [&](const cohort_gang& g) {
    cohort_gang_wait_block(nullptr);
    for (uint32_t lane = 0; lane < g.lanes; ++lane) {
      if (fails(g.first_rank + lane)) *reinterpret_cast<volatile int*>(24) = 1;
    }
  };
  const auto thread = [&] {
    cohort_wait_block();
    if (fails(raw::thread_rank())) *reinterpret_cast<volatile int*>(24) = 1;
  };
  raw::gang_kernel kernel({64}, gang, thread);
  EXPECT_EQ(kernel.launch_quietly({{5, 300, 1}, {64, 1, 1}}), 700);
  EXPECT_THAT(raw::last_report(),
              AllOf(HasSubstr("illegal address 0x18"), HasSubstr("thread (9,0,0) of block (3,77,0)")));
}

// The other blocks that the worker has taken run nevertheless.
TEST(GangBlocks, FailedAssertionLeavesNoBlockOut) {
  constexpr uint32_t blocks = 40;
  std::vector<std::atomic<uint32_t>> lanes_of(blocks);
  const auto gang = [&](const cohort_gang& g) {
    const uint32_t rank = raw::block_rank();
    lanes_of[rank] += g.lanes;
    if (rank != 5 && rank != 17) return cohort_gang_wait_block(nullptr);
    raw::lane_set lanes(g);
    lanes.remove_if([&](uint32_t thread) {
      if (thread != 3) return false;
      raw::name_thread(g, thread);
      cohort_gang_fail_assert("test", "file.cu", 1, "kernel");
      return true;
    });
    cohort_gang_wait_block(lanes.mask());
  };
  raw::gang_kernel kernel({64}, gang, raw::no_thread);
  EXPECT_EQ(kernel.launch_quietly({{blocks, 1, 1}, {64, 1, 1}}), 710);
  for (const auto& lanes : lanes_of) EXPECT_EQ(lanes, 64u);
}

}  // namespace
