// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of versions in docs/design/gangs.md, row by row.
#include "gang/plan/gang_plan.hpp"

#include <gmock/gmock.h>

namespace cohort {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const vector_target avx512 = x86_target("+avx512f");
const vector_target avx2 = x86_target("+avx2");
const vector_target neon = aarch64_target("+neon");

// A kernel whose gain is four times its costs.
kernel_facts gaining(bool waits = false) {
  kernel_facts facts;
  facts.waits = waits;
  facts.has_loops = true;
  facts.estimate = {.gang = 100, .threads = 400};
  return facts;
}

kernel_facts waiting() { return gaining(true); }

// A plan as --cohort-report prints it. Marks: ? the version may be refused; | it serves where no earlier version does.
std::vector<std::string> versions(const gang_plan& plan) {
  std::vector<std::string> all;
  for (const version_plan& version : plan.versions) {
    all.push_back((version.is_fallback ? "| " : "") + describe(version) + (version.is_required ? "" : "?"));
  }
  return all;
}

std::vector<std::string> planned(const kernel_facts& facts, const vector_target& target,
                                 const plan_request& request = {}) {
  return versions(plan_gangs(facts, target, request));
}

TEST(GangPlan, KernelsThatCannotWaitHave64Lanes) {
  EXPECT_THAT(planned(gaining(), avx512),
              ElementsAre("64 threads of a row", "16 threads of a row?", "64 threads of any block"));
}

TEST(GangPlan, KernelsThatWaitHaveSeveralWidths) {
  EXPECT_THAT(planned(waiting(), avx512), ElementsAre("256 threads of a row", "128 threads of a row",
                                                      "32 threads of a row", "32 threads of any block?"));
}

TEST(GangPlan, CpusWithoutAvx512HaveOneWarp) {
  for (const vector_target& target : {avx2, neon}) {
    kernel_facts facts = waiting();
    facts.estimate.live_vectors = 2;
    EXPECT_THAT(planned(facts, target), ElementsAre("32 threads of a row", "32 threads of any block?"));
    EXPECT_THAT(planned(gaining(), target),
                ElementsAre("32 threads of a row", "16 threads of a row?", "32 threads of any block"));
  }
}

// Wider gangs switch less often at barriers, if no loop keeps vectors.
TEST(GangPlan, Avx2HasWiderGangsThatWait) {
  kernel_facts facts = waiting();
  EXPECT_THAT(planned(facts, avx2),
              ElementsAre("128 threads of a row", "32 threads of a row", "32 threads of any block?"));
  EXPECT_THAT(planned(facts, neon), ElementsAre("32 threads of a row", "32 threads of any block?"));
  facts.estimate.live_vectors = 1;
  EXPECT_THAT(planned(facts, avx2),
              ElementsAre("64 threads of a row", "32 threads of a row", "32 threads of any block?"));
  facts = waiting();
  facts.estimate.lane_by_lane = true;
  EXPECT_THAT(planned(facts, avx2),
              ElementsAre("32 threads of a row", "blocks of 16 threads?", "32 threads of any block?"));
}

TEST(GangPlan, LaneByLaneHas128Lanes) {
  kernel_facts facts = waiting();
  facts.estimate.lane_by_lane = true;
  EXPECT_THAT(planned(facts, avx512), ElementsAre("128 threads of a row", "32 threads of a row",
                                                  "blocks of 16 threads?", "32 threads of any block?"));
  facts.has_loops = false;
  EXPECT_THAT(planned(facts, avx512),
              ElementsAre("128 threads of a row", "32 threads of a row", "32 threads of any block?"));
}

TEST(GangPlan, KernelsThatReadRowsHave32Lanes) {
  kernel_facts facts = gaining();
  facts.has_rows = true;
  EXPECT_THAT(planned(facts, avx512),
              ElementsAre("32 threads of a row", "16 threads of a row?", "32 threads of any block"));
}

TEST(GangPlan, ShortKernelsWithoutRowsHaveNoNarrowGangs) {
  kernel_facts facts = gaining();
  facts.has_loops = false;
  EXPECT_THAT(planned(facts, avx512), ElementsAre("64 threads of a row", "64 threads of any block"));
  facts.has_rows = true;
  EXPECT_THAT(planned(facts, avx512),
              ElementsAre("32 threads of a row", "16 threads of a row?", "32 threads of any block"));
}

TEST(GangPlan, RowsThatWaitRunTogether) {
  kernel_facts facts = waiting();
  facts.has_rows = true;
  EXPECT_THAT(planned(facts, avx512),
              ElementsAre("8 rows of 32 threads?", "4 rows of 32 threads?", "16 rows of 16 threads?",
                          "8 rows of 16 threads?", "32 threads of a row", "32 threads of any block?"));
  // A value of each row fills eight registers.
  EXPECT_THAT(planned(facts, avx2), ElementsAre("2 rows of 32 threads?", "4 rows of 16 threads?", "32 threads of a row",
                                                "32 threads of any block?"));
  EXPECT_THAT(planned(facts, neon),
              ElementsAre("2 rows of 32 threads?", "4 rows of 16 threads?", "2 rows of 16 threads?",
                          "32 threads of a row", "32 threads of any block?"));
}

TEST(GangPlan, CollectivesOfAWarpHaveSeveralWarps) {
  kernel_facts facts = waiting();
  facts.has_warp_collectives = true;
  EXPECT_THAT(planned(facts, avx512),
              ElementsAre("256 threads as 8 warps?", "128 threads as 4 warps?", "| 64 threads as 2 warps?",
                          "32 threads of a row", "32 threads of any block?"));
  EXPECT_THAT(planned(facts, avx2), ElementsAre("32 threads of a row", "32 threads of any block?"));
  EXPECT_TRUE(plan_gangs(facts, avx512, {}).needs_common_loop);
}

TEST(GangPlan, LargeSourcesHaveOneVersionOfAKernel) {
  const plan_request request{.all_versions = false};
  EXPECT_THAT(planned(waiting(), avx512, request), ElementsAre("32 threads of a row"));
  kernel_facts facts = waiting();
  facts.has_warp_collectives = true;
  EXPECT_THAT(planned(facts, avx512, request), ElementsAre("32 threads of a row"));
  EXPECT_TRUE(plan_gangs(facts, avx512, request).is_short);
  // Two versions serve most two-dimensional blocks.
  facts = waiting();
  facts.has_rows = true;
  EXPECT_THAT(planned(facts, avx512, request), ElementsAre("8 rows of 16 threads?", "32 threads of a row"));
  // A kernel that cannot wait has no other code for blocks of other shapes than rows.
  EXPECT_THAT(planned(gaining(), avx512, request), ElementsAre("64 threads of a row", "64 threads of any block"));
}

TEST(GangPlan, ForcedWidths) {
  const plan_request request{.forced_width = 128};
  EXPECT_THAT(planned(gaining(), avx2, request), ElementsAre("128 threads of a row", "128 threads of any block"));
  EXPECT_THAT(planned(waiting(), avx2, request),
              ElementsAre("128 threads of a row?", "| 128 threads as 4 warps", "128 threads of any block?"));
  EXPECT_THAT(planned(waiting(), avx2, {.forced_width = 32}),
              ElementsAre("32 threads of a row", "32 threads of any block?"));
  kernel_facts rows = waiting();
  rows.has_rows = true;
  EXPECT_THAT(planned(rows, avx512, request), planned(waiting(), avx512, request));
  // Warps that are forced to run together need not share a loop, and loops may keep as many bits as AVX-512's registers
  // hold.
  const gang_plan plan = plan_gangs(waiting(), avx2, request);
  EXPECT_FALSE(plan.needs_common_loop);
  EXPECT_EQ(plan.registers.bits * plan.registers.count, avx512.registers.bits * avx512.registers.count);
}

TEST(GangPlan, StraightKernelsRunOtherBlocksAsALoop) {
  kernel_facts facts = gaining();
  facts.is_straight = true;
  facts.has_loops = false;
  EXPECT_THAT(planned(facts, avx512),
              ElementsAre("64 threads of a row", "a loop over the threads of any block?", "| 64 threads of any block"));
  facts.has_assertions = true;
  EXPECT_THAT(planned(facts, avx512), ElementsAre("64 threads of a row", "64 threads of any block"));
}

TEST(GangPlan, FurtherCpusShareTheVersionForOtherBlocks) {
  const plan_request request{.shares_other_blocks = true};
  EXPECT_THAT(planned(gaining(), avx512, request), ElementsAre("64 threads of a row", "16 threads of a row?"));
}

TEST(GangPlan, LoopsKeepTheirValuesInRegisters) {
  kernel_facts facts = waiting();
  facts.estimate.live_vectors = 8;
  EXPECT_THAT(planned(facts, avx512), ElementsAre("32 threads of a row", "32 threads of any block?"));
  facts.estimate.live_vectors = 6;
  EXPECT_THAT(planned(facts, avx512),
              ElementsAre("64 threads of a row", "32 threads of a row", "32 threads of any block?"));
  // Only kernels that cannot wait have gangs of fewer lanes than a warp.
  facts.waits = false;
  facts.estimate.live_vectors = 20;
  EXPECT_THAT(planned(facts, avx512), ElementsAre("16 threads of a row", "16 threads of any block"));
}

TEST(GangPlan, LocalVariablesOfAllLanesFitTheStack) {
  kernel_facts facts = waiting();
  facts.estimate.local_bytes = 128;
  EXPECT_EQ(planned(facts, avx512).front(), "256 threads of a row");
  facts.estimate.local_bytes = 129;
  EXPECT_EQ(planned(facts, avx512).front(), "128 threads of a row");
}

TEST(GangPlan, KernelsThatGainNothingHaveNoGangs) {
  kernel_facts facts = gaining();
  facts.estimate.threads = 149;
  const gang_plan plan = plan_gangs(facts, avx512, {});
  EXPECT_THAT(plan.versions, IsEmpty());
  EXPECT_EQ(plan.refusal, "gangs would gain nothing");
  facts.estimate.threads = 150;
  EXPECT_THAT(planned(facts, avx512), testing::Not(IsEmpty()));
  EXPECT_THAT(planned(facts, avx2), IsEmpty());  // half-length vectors
  facts.estimate.threads = 300;
  EXPECT_THAT(planned(facts, avx2), testing::Not(IsEmpty()));
}

// A kernel that waits is compared with a stack for each thread, whatever the length of the vectors.
TEST(GangPlan, KernelsThatWaitNeedNoMoreThanTheCostOfThreads) {
  kernel_facts facts = waiting();
  facts.estimate.threads = 100;
  EXPECT_THAT(planned(facts, avx2), testing::Not(IsEmpty()));
  facts.estimate.threads = 99;
  EXPECT_THAT(planned(facts, avx512), IsEmpty());
}

TEST(GangPlan, EstimateIsNeededToSelectAWidth) {
  kernel_facts facts = waiting();
  EXPECT_TRUE(needs_estimate(facts, {}));
  EXPECT_FALSE(needs_estimate(facts, {.forced_width = 64}));
  facts.has_warp_collectives = true;
  EXPECT_FALSE(needs_estimate(facts, {}));
}

}  // namespace
}  // namespace cohort
