// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gangs: their shape, and the barriers of the block, the cluster, the grid and the multi-grid.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "raw_gang.hpp"

namespace {

const std::vector<uint32_t> widths{32, 64, 96, 128, 256, 1024};
const uint32_t shapes[][3] = {{1, 1, 1},   {31, 1, 1}, {32, 1, 1}, {33, 1, 1},  {100, 1, 1}, {256, 1, 1},
                              {16, 16, 1}, {8, 4, 2},  {7, 5, 3},  {64, 2, 1},  {333, 1, 1}, {1000, 1, 1},
                              {32, 32, 1}, {1, 1, 64}, {5, 1, 13}, {1024, 1, 1}};

uint32_t threads_of(const uint32_t (&block)[3]) { return block[0] * block[1] * block[2]; }

TEST(Gang, LanesAreAdjacentThreadsOfTheBlock) {
  for (const uint32_t width : widths) {
    for (const auto& block : shapes) {
      const uint32_t threads = threads_of(block);
      std::vector<std::atomic<int>> runs(threads);
      std::atomic<int> wrong{0};
      const auto kernel = [&](const cohort_gang& g) {
        wrong += g.first_rank % width != 0;
        wrong += g.lanes != std::min(width, threads - g.first_rank);
        wrong += cohort_current_thread->block->block_dim[0] != block[0];
        for (uint32_t lane = 0; lane < g.lanes; ++lane) {
          const uint32_t rank = g.first_rank + lane;
          ++runs[rank];
          wrong += g.thread_index[0][lane] != rank % block[0];
          wrong += g.thread_index[1][lane] != rank / block[0] % block[1];
          wrong += g.thread_index[2][lane] != rank / block[0] / block[1];
          wrong += !(g.looping[lane / 32] >> lane % 32 & 1);
        }
        for (uint32_t lane = g.lanes; lane < width; ++lane) {
          wrong += g.thread_index[0][lane] + g.thread_index[1][lane] + g.thread_index[2][lane] != 0;
          wrong += g.looping[lane / 32] >> lane % 32 & 1;
        }
        for (const uint32_t* index : g.thread_index) wrong += reinterpret_cast<uintptr_t>(index) % 64 != 0;
      };
      ASSERT_EQ(raw::launch_gangs({{5, 1, 1}, {block[0], block[1], block[2]}}, width, kernel), 0);
      EXPECT_EQ(wrong, 0) << width << ' ' << threads;
      for (const auto& count : runs) EXPECT_EQ(count, 5);
    }
  }
}

// Each thread reads what its neighbour wrote before the barrier.
TEST(Gang, BlockBarrierOrdersTheBlock) {
  for (const uint32_t width : widths) {
    for (const auto& block : shapes) {
      const uint32_t threads = threads_of(block);
      std::vector<std::vector<uint32_t>> board(3, std::vector<uint32_t>(threads));
      std::atomic<int> wrong{0};
      const auto kernel = [&](const cohort_gang& g) {
        const raw::lane_set lanes(g);
        std::vector<uint32_t>& mine = board[cohort_current_thread->block->block_index[0]];
        for (uint32_t round = 1; round <= 5; ++round) {
          lanes.each([&](uint32_t rank, uint32_t) { mine[rank] = rank * round; });
          cohort_gang_wait_block(round % 2 ? lanes.mask() : nullptr);
          lanes.each([&](uint32_t rank, uint32_t) {
            const uint32_t next = (rank + 1) % threads;
            wrong += mine[next] != next * round;
          });
          cohort_gang_wait_block(lanes.mask());
        }
      };
      ASSERT_EQ(raw::launch_gangs({{3, 1, 1}, {block[0], block[1], block[2]}}, width, kernel), 0);
      EXPECT_EQ(wrong, 0) << width << ' ' << threads;
    }
  }
}

// In each round some threads return; the others count those that are left.
TEST(Gang, LanesThatReturnedAreNotCounted) {
  for (const uint32_t width : widths) {
    for (const uint32_t threads : {1u, 40u, 64u, 100u, 256u, 1000u}) {
      constexpr uint32_t rounds = 7;
      const auto returns_in = [](uint32_t rank) { return (rank * 2654435761u >> 7) % (rounds + 2); };
      std::atomic<int> wrong{0}, ends{0};
      const auto kernel = [&](const cohort_gang& g) {
        raw::lane_set lanes(g);
        for (uint32_t round = 0; round < rounds; ++round) {
          if (!lanes.remove_if([&](uint32_t rank) { return returns_in(rank) == round; })) return;
          uint32_t predicates[32] = {};
          lanes.each([&](uint32_t rank, uint32_t lane) {
            if (rank % 3 != round % 3) predicates[lane / 32] |= 1u << lane % 32;
          });
          predicates[g.lanes / 32 % 32] |= g.lanes % 32 ? ~0u << g.lanes % 32 : 0;  // bits without a lane do not count
          uint32_t expected = 0;
          for (uint32_t rank = 0; rank < threads; ++rank) expected += returns_in(rank) > round && rank % 3 != round % 3;
          wrong += cohort_gang_wait_block_count(predicates, lanes.mask()) != expected;
          cohort_gang_wait_block(lanes.mask());
        }
        lanes.each([&](uint32_t, uint32_t) { ++ends; });
      };
      ASSERT_EQ(raw::launch_gangs({{4, 1, 1}, {threads, 1, 1}}, width, kernel), 0);
      EXPECT_EQ(wrong, 0) << width << ' ' << threads;
      int expected = 0;
      for (uint32_t rank = 0; rank < threads; ++rank) expected += returns_in(rank) >= rounds;
      EXPECT_EQ(ends, 4 * expected);
    }
  }
}

// Barriers above the block, mixed with those of the block, in plain and cooperative launches.
TEST(Gang, ClusterAndGridBarriersOrderTheirBlocks) {
  for (const uint32_t width : {32u, 96u, 128u}) {
    for (const uint32_t threads : {1u, 40u, 100u, 256u}) {
      for (const int barrier : {cohort_barrier_cluster, cohort_barrier_grid}) {
        constexpr uint32_t blocks = 8;
        const uint32_t members = barrier == cohort_barrier_grid ? blocks : 4;
        std::vector<std::atomic<uint32_t>> arrived(blocks / members);
        std::atomic<int> wrong{0};
        const auto kernel = [&](const cohort_gang& g) {
          const uint32_t group = cohort_current_thread->block->block_index[0] / members;
          raw::lane_set lanes(g);
          for (uint32_t round = 1; round <= 4; ++round) {
            // The last thread of each block returns after two rounds.
            if (round == 3 && !lanes.remove_if([&](uint32_t rank) { return rank == threads - 1; })) return;
            lanes.each([&](uint32_t, uint32_t) { ++arrived[group]; });
            if (barrier == cohort_barrier_grid) {
              cohort_gang_wait_grid(lanes.mask());
            } else {
              cohort_gang_wait_cluster(lanes.mask());
            }
            const uint32_t full = std::min(round, 2u), partial = round - full;
            wrong += arrived[group] < members * (threads * full + (threads - 1) * partial);
            cohort_gang_wait_block(lanes.mask());
          }
        };
        raw::shape s{{blocks, 1, 1}, {threads, 1, 1}};
        if (barrier == cohort_barrier_cluster) s.cluster[0] = members, s.cluster[1] = s.cluster[2] = 1;
        s.cooperative = barrier == cohort_barrier_grid;
        ASSERT_EQ(raw::launch_gangs(s, width, kernel), 0);
        EXPECT_EQ(wrong, 0) << width << ' ' << threads << ' ' << barrier;
      }
    }
  }
}

TEST(Gang, LargestCooperativeGrid) {
  const cohort_device& device = *cohort_device_get(0);
  for (const uint32_t threads : {1024u, 256u}) {
    const uint32_t blocks = 2048 / threads * static_cast<uint32_t>(device.sm_count);
    std::atomic<uint32_t> before{0}, wrong{0};
    const auto kernel = [&](const cohort_gang& g) {
      for (uint32_t round = 1; round <= 3; ++round) {
        before += g.lanes;
        cohort_gang_wait_grid(nullptr);
        wrong += before != blocks * threads * round;
        cohort_gang_wait_grid(nullptr);
      }
    };
    ASSERT_EQ(raw::launch_gangs({{blocks, 1, 1}, {threads, 1, 1}, {}, 1}, 128, kernel), 0);
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(raw::launch_gangs({{blocks + 1, 1, 1}, {threads, 1, 1}, {}, 1}, 128, kernel), 720);
  }
}

TEST(Gang, MultiGridBarrierOrdersAllDevices) {
  const int devices = cohort_device_count();
  constexpr uint32_t blocks = 2, threads = 70;
  std::atomic<uint32_t> arrived{0}, wrong{0};
  const auto kernel = [&](const cohort_gang& g) {
    for (uint32_t round = 1; round <= 3; ++round) {
      arrived += g.lanes;
      cohort_gang_wait_multi_grid(nullptr);
      wrong += arrived < static_cast<uint32_t>(devices) * blocks * threads * round;
      cohort_gang_wait_block(nullptr);
    }
  };
  raw::gang_kernel made({32}, kernel, raw::no_thread);
  std::vector<cohort_launch> launches;
  for (int device = 0; device < devices; ++device) {
    launches.push_back(made.make({{blocks, 1, 1}, {threads, 1, 1}, {}, 1}, device));
  }
  ASSERT_EQ(cohort_run_multi_device(launches.data(), static_cast<uint32_t>(devices)), 0);
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
