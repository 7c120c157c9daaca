// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split-phase barriers of gangs, late copies, and the events of completed synchronisations.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <vector>

#include "event_recorder.hpp"
#include "raw_gang.hpp"

namespace {

using namespace cohort::engine;

void fill(uint32_t (&tokens)[1024], uint32_t token) {
  for (uint32_t& t : tokens) t = token;
}

// Split-phase and ordinary waits alternate, and threads return in between. A counter shows that no gang passes before
// all threads have arrived.
TEST(GangSplit, NoGangPassesBeforeAllThreadsArrived) {
  for (int barrier = 0; barrier < cohort_barrier_multi_grid; ++barrier) {
    for (const uint32_t width : {32u, 96u, 128u, 256u}) {
      for (const uint32_t threads : {1u, 40u, 64u, 200u, 256u}) {
        constexpr uint32_t rounds = 5, blocks = 2;
        const bool outer = barrier > cohort_barrier_block;
        const auto last_round = [](uint32_t rank) { return rank % 7 == 2 ? 2u : rounds; };
        std::vector<std::atomic<uint32_t>> arrived(blocks * 32);
        std::atomic<int> wrong{0};
        const auto kernel = [&](const cohort_gang& g) {
          const uint32_t block = cohort_current_thread->block->block_index[0];
          const uint32_t size = barrier < cohort_barrier_block ? 64u << barrier : threads;
          const auto team_of = [&](uint32_t rank) { return outer ? 0 : block * 32 + rank / size; };
          const auto expected = [&](uint32_t rank, uint32_t round) {
            const uint32_t first = rank / size * size;
            uint32_t sum = 0;
            for (uint32_t r = first; r < std::min(first + size, threads); ++r) sum += std::min(round, last_round(r));
            return outer ? blocks * sum : sum;
          };
          raw::lane_set lanes(g);
          uint32_t tokens[1024];
          for (uint32_t round = 1; round <= rounds; ++round) {
            if (!lanes.remove_if([&](uint32_t rank) { return last_round(rank) < round; })) return;
            lanes.each([&](uint32_t rank, uint32_t) { ++arrived[team_of(rank)]; });
            const uint32_t token = cohort_gang_wait_arrive(barrier, lanes.mask(), "arrive");
            fill(tokens, ~token);  // tokens of missing lanes are not read
            lanes.each([&](uint32_t, uint32_t lane) { tokens[lane] = round % 2 ? token : COHORT_NEWEST_ARRIVAL; });
            if (barrier != cohort_barrier_block && round % 2) cohort_gang_wait_block(lanes.mask());
            cohort_gang_wait_token(barrier, tokens, lanes.mask(), "wait");
            lanes.each([&](uint32_t rank, uint32_t) { wrong += arrived[team_of(rank)] < expected(rank, round); });
          }
        };
        raw::shape s{{blocks, 1, 1}, {threads, 1, 1}, {blocks, 1, 1}, 1};
        ASSERT_EQ(raw::launch_gangs(s, width, kernel), 0);
        EXPECT_EQ(wrong, 0) << "barrier " << barrier << ", width " << width << ", " << threads << " threads";
      }
    }
  }
}

// A gang arrives, works while others wait for it, and waits; gangs that wait at once count as arrivals too.
TEST(GangSplit, OrdinaryBarriersCountAsArrivals) {
  std::atomic<int> wrong{0}, arrived{0};
  const auto kernel = [&](const cohort_gang& g) {
    uint32_t tokens[1024];
    for (uint32_t round = 1; round <= 4; ++round) {
      arrived += static_cast<int>(g.lanes);
      if ((g.first_rank / 32 + round) % 2) {
        fill(tokens, cohort_gang_wait_arrive(cohort_barrier_block, nullptr, "arrive"));
        cohort_gang_wait_token(cohort_barrier_block, tokens, nullptr, "wait");
      } else {
        cohort_gang_wait_block(nullptr);
      }
      wrong += arrived < static_cast<int>(200 * round);
      cohort_gang_wait_team(0, nullptr, nullptr, nullptr, "sync");
    }
  };
  ASSERT_EQ(raw::launch_gangs({{1, 1, 1}, {200, 1, 1}}, 32, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

TEST(GangCopies, AreMadeAtTheWaitOrWhenTheLaneReturns) {
  for (const uint32_t width : {32u, 128u}) {
    constexpr uint32_t threads = 200;
    std::vector<uint32_t> from(threads), to(threads), late(threads);
    std::atomic<int> wrong{0};
    for (uint32_t rank = 0; rank < threads; ++rank) from[rank] = rank + 1;
    const auto kernel = [&](const cohort_gang& g) {
      raw::lane_set lanes(g);
      lanes.each([&](uint32_t rank, uint32_t) {
        raw::name_thread(g, rank);
        cohort_copy_later(&to[rank], &from[rank], sizeof(uint32_t));
        cohort_copy_commit();
        cohort_copy_later(&late[rank], &from[rank], sizeof(uint32_t));
      });
      lanes.each([&](uint32_t rank, uint32_t) { wrong += to[rank] != 0; });
      lanes.each([&](uint32_t rank, uint32_t) {
        raw::name_thread(g, rank);
        cohort_wait_copies(0);
        wrong += to[rank] != rank + 1 || late[rank] != 0;
      });
      if (!lanes.remove_if([](uint32_t rank) { return rank % 4 == 3; })) return;
      cohort_gang_wait_block(lanes.mask());
      lanes.each([&](uint32_t rank, uint32_t) { wrong += late[rank] != 0 || late[rank / 4 * 4 + 3] == 0; });
    };
    ASSERT_EQ(raw::launch_gangs({{1, 1, 1}, {threads, 1, 1}}, width, kernel), 0);
    EXPECT_EQ(wrong, 0) << width;
    EXPECT_EQ(late, from);
  }
}

TEST(GangCopies, AreMadeForTheLanesThatCall) {
  for (const uint32_t width : {32u, 128u}) {
    constexpr uint32_t threads = 200;
    std::vector<uint32_t> from(threads), first(threads), second(threads);
    std::atomic<int> wrong{0};
    for (uint32_t rank = 0; rank < threads; ++rank) from[rank] = rank + 1;
    const auto kernel = [&](const cohort_gang& g) {
      const raw::lane_set all(g);
      raw::lane_set even(g);
      even.remove_if([](uint32_t rank) { return rank % 2 == 1; });
      const void* sources[1024] = {};
      void *firsts[1024] = {}, *seconds[1024] = {};
      all.each([&](uint32_t rank, uint32_t lane) {
        sources[lane] = &from[rank];
        firsts[lane] = &first[rank];
        seconds[lane] = &second[rank];
      });
      cohort_gang_copy_commit(all.mask());  // no copy is pending
      cohort_gang_wait_copies(0, all.mask());
      cohort_gang_copy_later(firsts, sources, sizeof(uint32_t), even.mask());
      cohort_gang_copy_commit(all.mask());
      cohort_gang_copy_later(seconds, sources, sizeof(uint32_t), all.mask());
      cohort_gang_copy_commit(even.mask());
      all.each([&](uint32_t rank, uint32_t) { wrong += first[rank] != 0 || second[rank] != 0; });
      cohort_gang_wait_copies(1, all.mask());
      all.each([&](uint32_t rank, uint32_t) {
        wrong += first[rank] != (rank % 2 == 0 ? rank + 1 : 0) || second[rank] != 0;
      });
      cohort_gang_wait_copies(0, all.mask());
      all.each([&](uint32_t rank, uint32_t) { wrong += second[rank] != (rank % 2 == 0 ? rank + 1 : 0); });
    };
    ASSERT_EQ(raw::launch_gangs({{1, 1, 1}, {threads, 1, 1}}, width, kernel), 0);
    EXPECT_EQ(wrong, 0) << width;
    EXPECT_EQ(second, from);  // odd lanes returned without ending their stage
  }
}

TEST(GangEvent, EachCompletedSynchronisationRaisesOne) {
  event_recorder heard;
  const auto kernel = [](const cohort_gang& g) {
    const uint32_t all[32] = {~0u, ~0u, ~0u, ~0u};
    uint32_t tokens[1024];
    cohort_gang_wait_block(nullptr);
    cohort_gang_wait_block_count(all, nullptr);
    cohort_gang_wait_team(0, [](uint32_t, void* const*) {}, reinterpret_cast<void* const*>(tokens), nullptr, "c");
    cohort_gang_wait_team(64, nullptr, nullptr, nullptr, "tile");
    cohort_gang_wait_team(256, nullptr, nullptr, nullptr, "tile");
    fill(tokens, cohort_gang_wait_arrive(cohort_barrier_tile_64, nullptr, "arrive"));
    cohort_gang_wait_token(cohort_barrier_tile_64, tokens, nullptr, "wait");
    cohort_gang_wait_cluster(nullptr);
    cohort_gang_wait_grid(nullptr);
    (void)g;
  };
  ASSERT_EQ(raw::launch_gangs({{2, 1, 1}, {256, 1, 1}, {2, 1, 1}, 1}, 128, kernel), 0);
  EXPECT_EQ(heard.count<block_synchronised>(), 2 * 3u);
  EXPECT_EQ(heard.count<tile_synchronised>(), 2 * (4 + 1 + 4u));
  uint32_t threads_of_tiles = 0, threads_that_passed = 0;
  for (const tile_synchronised& e : heard.all<tile_synchronised>()) threads_of_tiles += e.threads;
  for (const phase_passed& e : heard.all<phase_passed>()) threads_that_passed += std::popcount(e.lanes);
  EXPECT_EQ(threads_of_tiles, 2 * 3 * 256u);
  EXPECT_EQ(threads_that_passed, 2 * 256u);
  EXPECT_EQ(heard.count<cluster_synchronised>(), 1u);
  EXPECT_EQ(heard.count<grid_synchronised>(), 1u);
  EXPECT_EQ(heard.count<block_ended>(), 2u);
  EXPECT_EQ(heard.count<launch_ended>(), 1u);
}

}  // namespace
