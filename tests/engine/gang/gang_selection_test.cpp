// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The selection of gang versions: by the shape of the block, the conditions of versions and the stack.
#include "engine/launch/admission.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "engine/state/grid.hpp"
#include "raw_gang.hpp"

namespace {

void entry(void**, const cohort_gang*) {}

struct selected {
  uint32_t width;
  int full;  // index of the full version in the table; -1: none
  int last;
};
bool operator==(const selected& a, const selected& b) {
  return a.width == b.width && a.full == b.full && a.last == b.last;
}
std::ostream& operator<<(std::ostream& to, const selected& s) {
  return to << "width " << s.width << ", full " << s.full << ", last " << s.last;
}

selected select(const std::vector<cohort_gang_version>& versions, uint32_t x, uint32_t y, uint32_t z,
                size_t stack_bytes = 256 * 1024) {
  cohort_kernel kernel{};
  kernel.gang_versions = versions.data();
  kernel.gang_version_count = static_cast<uint32_t>(versions.size());
  cohort_launch launch{};
  launch.kernel = &kernel;
  launch.block[0] = x, launch.block[1] = y, launch.block[2] = z;
  cohort::engine::grid g;
  g.launch = &launch;
  g.stack_bytes = stack_bytes;
  cohort::engine::select_gangs(g);
  const auto index = [&](const cohort_gang_version* v) { return v ? static_cast<int>(v - versions.data()) : -1; };
  return {g.gang_width, index(g.full_gang), index(g.last_gang)};
}

const std::vector<cohort_gang_version> two_widths{
    {entry, 128, cohort_gang_full_rows, 0},
    {entry, 128, cohort_gang_full, 0},
    {entry, 128, 0, 0},
    {entry, 32, cohort_gang_full_rows, 0},
    {entry, 32, 0, 0},
};

TEST(GangSelection, TheFirstVersionWhoseConditionsHold) {
  EXPECT_EQ(select(two_widths, 256, 1, 1), (selected{128, 0, 0}));
  EXPECT_EQ(select(two_widths, 128, 3, 1), (selected{128, 0, 0}));
  EXPECT_EQ(select(two_widths, 64, 4, 1), (selected{128, 1, 1}));
  EXPECT_EQ(select(two_widths, 300, 1, 1), (selected{128, 1, 2}));
  EXPECT_EQ(select(two_widths, 10, 10, 3), (selected{128, 1, 2}));
}

TEST(GangSelection, AWidthThatNoGangFillsComesLast) {
  EXPECT_EQ(select(two_widths, 32, 1, 1), (selected{32, 3, 3}));
  EXPECT_EQ(select(two_widths, 33, 1, 1), (selected{32, 4, 4}));
  EXPECT_EQ(select(two_widths, 100, 1, 1), (selected{128, -1, 2}));  // 97 to 128 threads need four warps anyway
  EXPECT_EQ(select(two_widths, 96, 1, 1), (selected{32, 3, 3}));
  EXPECT_EQ(select({{entry, 128, 0, 0}}, 5, 1, 1), (selected{128, -1, 0}));
}

TEST(GangSelection, EveryGangOfABlockNeedsAVersion) {
  const std::vector<cohort_gang_version> full_only{{entry, 64, cohort_gang_full, 0}};
  EXPECT_EQ(select(full_only, 192, 1, 1), (selected{64, 0, 0}));
  EXPECT_EQ(select(full_only, 193, 1, 1), (selected{0, -1, -1}));
  EXPECT_EQ(select(full_only, 63, 1, 1), (selected{0, -1, -1}));
  const std::vector<cohort_gang_version> rows_only{{entry, 32, cohort_gang_full_rows, 0}};
  EXPECT_EQ(select(rows_only, 64, 2, 2), (selected{32, 0, 0}));
  EXPECT_EQ(select(rows_only, 16, 16, 1), (selected{0, -1, -1}));
  EXPECT_EQ(select({}, 32, 1, 1), (selected{0, -1, -1}));
}

TEST(GangSelection, AGangOfSeveralRowsNeedsRowsOfItsLanes) {
  const std::vector<cohort_gang_version> rows{{entry, 256, cohort_gang_full, 0, 32},
                                              {entry, 128, cohort_gang_full, 0, 32},
                                              {entry, 128, cohort_gang_full, 0, 16},
                                              {entry, 32, 0, 0}};
  EXPECT_EQ(select(rows, 32, 8, 1), (selected{256, 0, 0}));
  EXPECT_EQ(select(rows, 32, 16, 2), (selected{256, 0, 0}));
  EXPECT_EQ(select(rows, 32, 4, 2), (selected{128, 1, 1}));  // eight rows, but in two planes
  EXPECT_EQ(select(rows, 32, 12, 1), (selected{128, 1, 1}));
  EXPECT_EQ(select(rows, 16, 16, 1), (selected{128, 2, 2}));
  EXPECT_EQ(select(rows, 16, 12, 1), (selected{32, 3, 3}));
  EXPECT_EQ(select(rows, 64, 4, 1), (selected{32, 3, 3}));
  EXPECT_EQ(select(rows, 256, 1, 1), (selected{32, 3, 3}));
}

TEST(GangSelection, AGangOfHalfAWarpIsAWholeBlock) {
  const std::vector<cohort_gang_version> half{
      {entry, 32, cohort_gang_full_rows, 0}, {entry, 32, cohort_gang_half_warp, 0, 16}, {entry, 32, 0, 0}};
  EXPECT_EQ(select(half, 16, 1, 1), (selected{32, -1, 1}));
  EXPECT_EQ(select(half, 1, 16, 1), (selected{32, -1, 2}));
  EXPECT_EQ(select(half, 16, 2, 1), (selected{32, 2, 2}));
  EXPECT_EQ(select(half, 16, 1, 3), (selected{32, 2, 2}));
  EXPECT_EQ(select(half, 15, 1, 1), (selected{32, -1, 2}));
  EXPECT_EQ(select(half, 48, 1, 1), (selected{32, 2, 2}));
}

TEST(GangSelection, AFrameLeavesPartOfTheStack) {
  const std::vector<cohort_gang_version> large{{entry, 128, 0, 224 * 1024 + 1}, {entry, 32, 0, 224 * 1024}};
  EXPECT_EQ(select(large, 256, 1, 1), (selected{32, 1, 1}));
  EXPECT_EQ(select(large, 256, 1, 1, 512 * 1024), (selected{128, 0, 0}));
}

TEST(GangSelection, LaunchesRunTheWidthThatWasSelected) {
  if (!cohort_device_get(0)->gangs) GTEST_SKIP() << "COHORT_GANGS=off";
  std::vector<int> lanes_at(256);
  const auto gang = [&](const cohort_gang& g) { lanes_at[g.first_rank] += static_cast<int>(g.lanes); };
  raw::gang_kernel kernel({128, 32}, gang, raw::no_thread);
  ASSERT_EQ(kernel.launch({{1, 1, 1}, {160, 1, 1}}), 0);
  ASSERT_EQ(kernel.launch({{1, 1, 1}, {64, 1, 1}}), 0);
  EXPECT_EQ(lanes_at[0], 128 + 32);
  EXPECT_EQ(lanes_at[32], 32);
  EXPECT_EQ(lanes_at[128], 32);
}

// Runs in two environments: with COHORT_GANGS=off, and without.
TEST(GangSetting, DecidesHowThreadsRun) {
  int gangs = 0, threads = 0;
  const auto gang = [&](const cohort_gang&) { ++gangs; };
  const auto thread = [&] { ++threads; };
  raw::gang_kernel kernel({32}, gang, thread);
  ASSERT_EQ(kernel.launch({{1, 1, 1}, {64, 1, 1}}), 0);
  const bool on = cohort_device_get(0)->gangs;
  EXPECT_EQ(gangs, on ? 2 : 0);
  EXPECT_EQ(threads, on ? 0 : 64);
}

TEST(GangSetting, OccupancyDoesNotDependOnGangs) {
  const auto gang = [](const cohort_gang&) {};
  raw::gang_kernel with({32}, gang, raw::no_thread), without({}, gang, raw::no_thread);
  for (const uint32_t threads : {32u, 100u, 256u, 1024u}) {
    const raw::shape s{{1, 1, 1}, {threads, 1, 1}};
    const cohort_launch a = with.make(s), b = without.make(s);
    EXPECT_EQ(cohort_max_blocks_per_sm(a.kernel, 0, threads, 0), cohort_max_blocks_per_sm(b.kernel, 0, threads, 0));
    EXPECT_EQ(cohort_max_clusters(a.kernel, 0, threads, 0, 4), cohort_max_clusters(b.kernel, 0, threads, 0, 4));
  }
}

}  // namespace
