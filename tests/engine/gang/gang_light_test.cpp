// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of gang waits for callers that preserve no registers, which only clang can call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "raw_gang.hpp"

#if defined(__x86_64__) && defined(__clang__)
#if __has_attribute(preserve_none)
#define COHORT_HAS_LIGHT_ENTRIES 1
#endif
#endif

#if defined(COHORT_HAS_LIGHT_ENTRIES)

#define COHORT_LIGHT extern "C" __attribute__((preserve_none)) void
COHORT_LIGHT cohort_gang_wait_block_light(const uint32_t* lanes);
COHORT_LIGHT cohort_gang_wait_team_light(uint32_t size, cohort_resolve_team resolve, void* const* operands,
                                         const uint32_t* lanes, const char* op_name);
COHORT_LIGHT cohort_gang_wait_cluster_light(const uint32_t* lanes);
COHORT_LIGHT cohort_gang_wait_grid_light(const uint32_t* lanes);

namespace {

void resolve_light_sum(uint32_t count, void* const* operands) {
  int sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += operands[i] ? *static_cast<int*>(operands[i]) : 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (operands[i]) *static_cast<int*>(operands[i]) = sum;
  }
}

TEST(GangLight, EntriesPassTheirArguments) {
  for (const uint32_t width : {32u, 128u}) {
    std::atomic<int> arrived{0}, wrong{0};
    const auto kernel = [&](const cohort_gang& g) {
      raw::lane_set lanes(g);
      if (!lanes.remove_if([](uint32_t rank) { return rank % 4 == 1; })) return;
      for (int round = 1; round <= 3; ++round) {
        lanes.each([&](uint32_t, uint32_t) { ++arrived; });
        cohort_gang_wait_grid_light(lanes.mask());
        wrong += arrived != round * 2 * 192;
        int values[1024];
        void* operands[1024];
        for (uint32_t lane = 0; lane < g.lanes; ++lane) values[lane] = 1, operands[lane] = &values[lane];
        cohort_gang_wait_team_light(64, resolve_light_sum, operands, lanes.mask(), "sum");
        lanes.each([&](uint32_t, uint32_t lane) { wrong += values[lane] != 48; });
        cohort_gang_wait_cluster_light(lanes.mask());
        cohort_gang_wait_block_light(lanes.mask());
        cohort_gang_wait_grid_light(lanes.mask());
      }
    };
    ASSERT_EQ(raw::launch_gangs({{2, 1, 1}, {256, 1, 1}, {2, 1, 1}, 1}, width, kernel), 0);
    EXPECT_EQ(wrong, 0) << width;
  }
}

TEST(GangLight, TheNameOfACollectiveReachesTheReport) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(raw::launch_gangs({{1, 1, 1}, {64, 1, 1}}, 32,
                              [](const cohort_gang& g) {
                                if (g.first_rank) return cohort_gang_wait_block_light(nullptr);
                                cohort_gang_wait_team_light(64, nullptr, nullptr, nullptr, "first and last");
                              }),
            719);
  testing::internal::GetCapturedStderr();
  EXPECT_THAT(raw::last_report(),
              testing::HasSubstr("32 threads: wait in first and last of the thread_block_tile<64>"));
}

}  // namespace

#endif
