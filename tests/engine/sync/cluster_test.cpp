// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters: blocks that are resident together, their barrier, their shared memory.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "raw_launch.hpp"

namespace {

uint32_t rank_in_cluster() {
  uint32_t rank = 0;
  for (int axis = 2; axis >= 0; --axis) {
    rank = rank * cohort_cluster_dim(axis) + cohort_block_index(axis) % cohort_cluster_dim(axis);
  }
  return rank;
}

const raw::shape cluster_shapes[] = {
    {{6, 1, 1}, {33, 1, 1}, {2, 1, 1}},   {{4, 4, 2}, {16, 3, 1}, {2, 2, 1}}, {{2, 2, 8}, {40, 1, 1}, {1, 2, 4}},
    {{16, 1, 1}, {32, 1, 1}, {16, 1, 1}}, {{3, 5, 1}, {65, 1, 1}, {3, 1, 1}}, {{4, 1, 1}, {64, 1, 1}, {1, 1, 1}},
};

TEST(Cluster, DistributedSharedMemoryIsTheOtherBlocks) {
  for (raw::shape s : cluster_shapes) {
    for (const int cooperative : {0, 1}) {
      s.cooperative = cooperative;
      s.dynamic_shared = 1024;
      const uint32_t blocks = s.cluster[0] * s.cluster[1] * s.cluster[2];
      std::atomic<int> wrong{0}, checked{0};
      const auto kernel = [&] {
        static const char tag = 0;
        auto* dynamic = reinterpret_cast<uint32_t*>(cohort_dynamic_shared());
        auto* tagged = static_cast<uint32_t*>(cohort_tagged_shared(&tag, 256, 64));
        if (raw::thread_rank() == 0) {
          dynamic[7] = raw::block_rank() + 100;
          tagged[3] = raw::block_rank() + 500;
        }
        cohort_wait_cluster();
        const uint32_t mine = rank_in_cluster();
        for (uint32_t other = 0; other < blocks; ++other) {
          const auto* there = static_cast<uint32_t*>(cohort_cluster_map(&dynamic[7], other));
          const auto* tagged_there = static_cast<uint32_t*>(cohort_cluster_map(&tagged[3], other));
          wrong += *tagged_there != *there + 400;
          wrong += cohort_cluster_owner(there) != other || cohort_cluster_owner(tagged_there) != other;
          wrong += cohort_cluster_map(there, mine) != &dynamic[7];
          // The other block's rank follows from its own index.
          wrong += other == mine && *there != raw::block_rank() + 100;
        }
        ++checked;
        cohort_wait_cluster();  // no block returns while others read
      };
      ASSERT_EQ(raw::launch(s, kernel), 0);
      EXPECT_EQ(wrong, 0);
      EXPECT_EQ(checked, static_cast<int>(s.grid[0] * s.grid[1] * s.grid[2] * s.block[0] * s.block[1] * s.block[2]));
    }
  }
}

// CUDA leaves the values undefined. The right ones would hide that the other block may have ended.
TEST(Cluster, SharedMemoryOfAnEndedBlockHasNotItsValues) {
  for (const uint32_t reader : {0u, 1u}) {
    raw::shape s{{2, 1, 1}, {3, 1, 1}, {2, 1, 1}};
    s.dynamic_shared = 256;
    std::atomic<int> right{0};
    const auto kernel = [&] {
      static const char tag = 0;
      auto* const dynamic = reinterpret_cast<uint32_t*>(cohort_dynamic_shared());
      auto* const tagged = static_cast<uint32_t*>(cohort_tagged_shared(&tag, 256, 64));
      dynamic[63 - raw::thread_rank()] = tagged[raw::thread_rank()] = 12345;
      cohort_wait_cluster();
      if (rank_in_cluster() != reader) return;
      volatile uint32_t* const there =
          static_cast<uint32_t*>(cohort_cluster_map(&dynamic[63 - raw::thread_rank()], reader ^ 1));
      volatile uint32_t* const tagged_there =
          static_cast<uint32_t*>(cohort_cluster_map(&tagged[raw::thread_rank()], reader ^ 1));
      for (int turn = 0; turn < 1000 && (*there == 12345 || *tagged_there == 12345); ++turn) cohort_wait_yield();
      right += *there == 12345 || *tagged_there == 12345;
    };
    ASSERT_EQ(raw::launch(s, kernel), 0);
    EXPECT_EQ(right, 0) << "reader " << reader;
  }
}

TEST(Cluster, NeighboursAreMappedByTheirRank) {
  const raw::shape s{{4, 4, 2}, {8, 1, 1}, {2, 2, 2}};
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    auto* place = static_cast<uint32_t*>(cohort_cluster_scratch(rank_in_cluster()));
    if (raw::thread_rank() == 0) std::memcpy(place, reinterpret_cast<const char*>(cohort_current_thread->block), 12);
    cohort_wait_cluster();
    for (uint32_t other = 0; other < 8; ++other) {
      const auto* index = static_cast<uint32_t*>(cohort_cluster_scratch(other));
      for (int axis = 0; axis < 3; ++axis) {
        const uint32_t in_cluster = other >> axis & 1;
        wrong += index[axis] != cohort_block_index(axis) / 2 * 2 + in_cluster;
      }
    }
    cohort_wait_cluster();
  };
  ASSERT_EQ(raw::launch(s, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

TEST(Cluster, BarriersOfManyRoundsBesideTheGrids) {
  for (raw::shape s : cluster_shapes) {
    s.cooperative = 1;
    std::atomic<uint32_t> all{0};
    std::atomic<int> wrong{0};
    const uint32_t threads = s.grid[0] * s.grid[1] * s.grid[2] * s.block[0] * s.block[1] * s.block[2];
    const auto kernel = [&] {
      for (uint32_t round = 1; round <= 3; ++round) {
        cohort_wait_cluster();
        ++all;
        cohort_wait_grid();
        wrong += all != threads * round;
        cohort_wait_grid();
        cohort_wait_cluster();
      }
    };
    ASSERT_EQ(raw::launch(s, kernel), 0);
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Cluster, ThreadsAndBlocksThatReturnedDropOut) {
  std::atomic<int> passed{0};
  const auto kernel = [&] {
    if (rank_in_cluster() == 2) return;
    if (raw::thread_rank() >= 20) return;
    for (int round = 0; round < 3; ++round) cohort_wait_cluster();
    ++passed;
  };
  ASSERT_EQ(raw::launch({{8, 1, 1}, {33, 1, 1}, {4, 1, 1}}, kernel), 0);
  EXPECT_EQ(passed, 2 * 3 * 20);
}

TEST(Cluster, DeadlocksAreReported) {
  for (const int cooperative : {0, 1}) {
    const auto kernel = [&] {
      if (rank_in_cluster() == 1 && raw::thread_rank() == 0) cohort_wait_warp(3, nullptr, nullptr, "pair");
      if (rank_in_cluster() == 1 && raw::thread_rank() == 1) cohort_wait_cluster();
      cohort_wait_cluster();
    };
    EXPECT_EQ(raw::launch({{4, 1, 1}, {32, 1, 1}, {2, 1, 1}, cooperative}, kernel), 719);
    EXPECT_NE(raw::last_report().find("deadlock"), std::string::npos) << raw::last_report();
    EXPECT_NE(raw::last_report().find("cluster_group"), std::string::npos) << raw::last_report();
  }
  // Each block waits properly, but for different groups.
  const auto crossed = [&] {
    if (rank_in_cluster() == 0) return cohort_wait_cluster();
    cohort_wait_grid();
  };
  EXPECT_EQ(raw::launch({{4, 1, 1}, {32, 1, 1}, {2, 1, 1}, 1}, crossed), 719);
  EXPECT_NE(raw::last_report().find("grid_group.sync: 2 of 4 blocks arrived; the others wait elsewhere"),
            std::string::npos)
      << raw::last_report();
}

TEST(Cluster, WrongRanksAndAddressesAreReported) {
  int outside = 0;
  EXPECT_EQ(raw::launch({{2, 1, 1}, {1, 1, 1}, {2, 1, 1}}, [&] { cohort_cluster_map(&outside, 0); }), 719);
  EXPECT_NE(raw::last_report().find("does not lie in the shared memory"), std::string::npos);
  const raw::shape s{{2, 1, 1}, {1, 1, 1}, {2, 1, 1}, 0, 64};
  EXPECT_EQ(raw::launch(s, [&] { cohort_cluster_map(cohort_dynamic_shared(), 2); }), 719);
  EXPECT_NE(raw::last_report().find("the cluster has no block with rank 2; it has 2 blocks"), std::string::npos);
}

TEST(Cluster, ShapesAreCheckedWithCudasErrors) {
  const auto check = [](raw::shape s, uint32_t x = 0, uint32_t y = 0, uint32_t z = 0) {
    cohort_kernel kernel = {"k", nullptr, nullptr, 0, 1024, 0, 0, nullptr};
    kernel.cluster_dim[0] = x;
    kernel.cluster_dim[1] = y;
    kernel.cluster_dim[2] = z;
    const auto nothing = [] {};
    cohort_launch l = raw::make<decltype(nothing)>(s, 0, nullptr);
    l.kernel = &kernel;
    return cohort_check_launch(&l);
  };
  EXPECT_EQ(check({{4, 1, 1}, {1, 1, 1}, {2, 1, 1}}), 0);
  EXPECT_EQ(check({{3, 1, 1}, {1, 1, 1}, {2, 1, 1}}), 912);
  EXPECT_EQ(check({{4, 1, 1}, {1, 1, 1}, {2, 0, 1}}), 912);
  EXPECT_EQ(check({{32, 1, 1}, {1, 1, 1}, {32, 1, 1}}), 912);
  EXPECT_EQ(check({{32, 32, 1}, {1, 1, 1}, {8, 4, 1}}), 912);
  EXPECT_EQ(check({{16, 1, 1}, {1024, 1, 1}, {16, 1, 1}}), 0) << "a cluster fits wherever its blocks fit";
  EXPECT_EQ(check({{4, 1, 1}, {1, 1, 1}}, 2, 1, 1), 0);
  EXPECT_EQ(check({{3, 1, 1}, {1, 1, 1}}, 2, 1, 1), 912);
  EXPECT_EQ(check({{4, 1, 1}, {1, 1, 1}, {4, 1, 1}}, 2, 1, 1), 912);
}

}  // namespace
