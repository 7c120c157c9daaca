// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of gangs that fail: the reports have the words of the reports for single threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "raw_gang.hpp"

namespace {

using testing::HasSubstr;

struct outcome {
  int error;
  std::string report;
};
bool operator==(const outcome& a, const outcome& b) { return a.error == b.error && a.report == b.report; }
std::ostream& operator<<(std::ostream& to, const outcome& o) { return to << o.error << '\n' << o.report; }

// The sorted lines of the newest report, without source places: the two forms of the kernel lie in two functions, and
// the order of paragraphs follows their addresses.
std::string report_without_places() {
  std::istringstream text(
      std::regex_replace(raw::last_report(), std::regex(R"(,? at (the end of the kernel|\S+\.(cpp|hpp):.*))"), ""));
  std::multiset<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.insert(line + '\n');
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

const std::regex thread_line("  thread .*\n");

// Gangs and single threads run in different orders, so their reports of a misuse may name different threads.
outcome without_thread(const outcome& o) { return {o.error, std::regex_replace(o.report, thread_line, "")}; }

using gang_function = std::function<void(const cohort_gang&)>;
using thread_function = std::function<void()>;

outcome run(const raw::shape& s, uint32_t width, const gang_function& gang, const thread_function& thread) {
  testing::internal::CaptureStderr();
  const int error = width ? raw::launch_gangs(s, width, gang, thread) : raw::launch(s, thread);
  testing::internal::GetCapturedStderr();
  return {error, report_without_places()};
}

// Runs the kernel as gangs and as single threads, and expects equal outcomes. Returns the report.
std::string expect_equal_reports(const raw::shape& s, const gang_function& gang, const thread_function& thread,
                                 uint32_t width = 32) {
  const outcome by_threads = without_thread(run(s, 0, gang, thread));
  const outcome by_gangs = without_thread(run(s, width, gang, thread));
  EXPECT_NE(by_gangs.error, 0);
  EXPECT_EQ(by_gangs, by_threads);
  return raw::last_report();
}

// Follows the last wait of a kernel: as a tail call the wait would have no source place in the kernel.
void end_kernel() {
  static volatile int ends = 0;
  ends = ends + 1;
}

void resolve_without_result(uint32_t, void* const*) {}
void* no_operands[1024];

TEST(GangReport, TileAndBlockBarrierWaitForEachOther) {
  const std::string report = expect_equal_reports(
      {{1, 1, 1}, {100, 1, 1}},
      [](const cohort_gang& g) {
        if (g.first_rank == 0) {
          cohort_gang_wait_block(nullptr);
        } else {
          cohort_gang_wait_team(64, nullptr, nullptr, nullptr, "sync");
        }
        end_kernel();
      },
      [] {
        if (raw::thread_rank() < 32) return cohort_wait_block();
        cohort_wait_team(64, nullptr, nullptr, "sync");
      });
  EXPECT_THAT(report, HasSubstr("deadlock in kernel raw kernel <<<(1,1,1), (100,1,1)>>>"));
  EXPECT_THAT(report, HasSubstr("32 threads: wait in sync of the thread_block_tile<64> of threads 0-63, where 32 of 64 "
                                "threads arrived at gang_report_test.cpp"));
  EXPECT_THAT(report, HasSubstr("32 threads: wait at the block's barrier (thread_block.sync, __syncthreads), where 32 "
                                "of 64 threads arrived at gang_report_test.cpp"));
  EXPECT_THAT(report, HasSubstr("threads 64-99"));
}

TEST(GangReport, CollectiveOfTheBlockWithoutSomeThreads) {
  const std::string report = expect_equal_reports(
      {{1, 1, 1}, {16, 16, 1}},
      [](const cohort_gang& g) {
        raw::lane_set lanes(g);
        if (!lanes.remove_if([](uint32_t rank) { return rank % 8 == 1; })) return;
        if (g.first_rank >= 128) return cohort_gang_wait_block(lanes.mask());
        cohort_gang_wait_team(0, resolve_without_result, no_operands, lanes.mask(), "sum");
      },
      [] {
        if (raw::thread_rank() % 8 == 1) return;
        if (raw::thread_rank() >= 128) return cohort_wait_block();
        cohort_wait_team(0, resolve_without_result, nullptr, "sum");
      },
      64);
  EXPECT_THAT(report, HasSubstr("wait in sum of the thread_block, where 112 of 224 threads arrived"));
  EXPECT_THAT(report, HasSubstr("32 threads: returned from the kernel"));
}

TEST(GangReport, VotesByTwoFunctions) {
  static const uint32_t all[32] = {~0u, ~0u, ~0u, ~0u};
  expect_equal_reports(
      {{1, 1, 1}, {256, 1, 1}},
      [](const cohort_gang& g) {
        if (g.first_rank == 128) {
          cohort_gang_wait_block_all(all, nullptr);
        } else {
          cohort_gang_wait_block_count(all, nullptr);
        }
        end_kernel();
      },
      [] {
        if (raw::thread_rank() >= 128) {
          cohort_wait_block_all(1);
        } else {
          cohort_wait_block_count(1);
        }
        end_kernel();
      },
      128);
}

TEST(GangReport, BlocksOfAClusterAndOfAGrid) {
  for (const bool cooperative : {false, true}) {
    raw::shape s{{4, 1, 1}, {64, 1, 1}};
    if (cooperative) {
      s.cooperative = 1;
    } else {
      s.cluster[0] = 4, s.cluster[1] = s.cluster[2] = 1;
    }
    const std::string report = expect_equal_reports(
        s,
        [=](const cohort_gang&) {
          if (cohort_current_thread->block->block_index[0] == 2) return;
          if (cooperative) return cohort_gang_wait_grid(nullptr);
          cohort_gang_wait_cluster(nullptr);
          cohort_gang_wait_team(64, nullptr, nullptr, nullptr, "sync");
          if (cohort_current_thread->block->block_index[0] == 1) cohort_gang_wait_grid(nullptr);
        },
        [=] {
          if (raw::block_rank() == 2) return;
          if (cooperative) return cohort_wait_grid();
          cohort_wait_cluster();
          cohort_wait_team(64, nullptr, nullptr, "sync");
          if (raw::block_rank() == 1) cohort_wait_grid();
        });
    EXPECT_THAT(report, HasSubstr(cooperative ? "grid_group.sync: 3 of 4 blocks arrived"
                                              : "grid_group.sync() in a launch that is not cooperative"));
  }
}

// Each misuse of a split-phase barrier.
TEST(GangReport, MisuseOfSplitPhaseBarriers) {
  for (int barrier = 0; barrier < cohort_barrier_multi_grid; ++barrier) {
    const auto sync_threads = [barrier] {
      if (barrier == cohort_barrier_block) return cohort_wait_block();
      if (barrier == cohort_barrier_cluster) return cohort_wait_cluster();
      if (barrier == cohort_barrier_grid) return cohort_wait_grid();
      cohort_wait_team(64u << barrier, nullptr, nullptr, "sync");
    };
    const auto sync_gang = [barrier] {
      if (barrier == cohort_barrier_block) return cohort_gang_wait_block(nullptr);
      if (barrier == cohort_barrier_cluster) return cohort_gang_wait_cluster(nullptr);
      if (barrier == cohort_barrier_grid) return cohort_gang_wait_grid(nullptr);
      cohort_gang_wait_team(64u << barrier, nullptr, nullptr, nullptr, "sync");
    };
    for (int misuse = 0; misuse < 4; ++misuse) {
      const gang_function by_gangs = [&](const cohort_gang&) {
        uint32_t tokens[1024];
        const uint32_t token = cohort_gang_wait_arrive(barrier, nullptr, "arrive");
        for (uint32_t& t : tokens) t = token + (misuse == 2 ? 1 : 0);
        if (misuse == 0) cohort_gang_wait_arrive(barrier, nullptr, "arrive");
        if (misuse == 3) sync_gang();
        cohort_gang_wait_token(barrier, tokens, nullptr, "wait");
        cohort_gang_wait_token(barrier, tokens, nullptr, "wait");
      };
      const thread_function by_threads = [&] {
        const uint32_t token = cohort_wait_arrive(barrier, "arrive") + (misuse == 2 ? 1 : 0);
        if (misuse == 0) cohort_wait_arrive(barrier, "arrive");
        if (misuse == 3) sync_threads();
        cohort_wait_token(barrier, token, "wait");
        cohort_wait_token(barrier, token, "wait");
      };
      const raw::shape s{{2, 1, 1}, {64, 1, 1}, {2, 1, 1}, 1};
      for (const uint32_t width : {32u, 64u}) {
        const outcome expected = run(s, 0, by_gangs, by_threads), seen = run(s, width, by_gangs, by_threads);
        EXPECT_THAT(raw::last_report(), HasSubstr("gang_report_test.cpp")) << barrier << ' ' << misuse;
        EXPECT_TRUE(std::regex_search(seen.report, thread_line));
        EXPECT_EQ(without_thread(seen), without_thread(expected)) << barrier << ' ' << misuse << ' ' << width;
      }
    }
  }
}

TEST(GangReport, DifferentCollectivesOfOneTeam) {
  expect_equal_reports(
      {{1, 1, 1}, {64, 1, 1}},
      [](const cohort_gang& g) {
        cohort_gang_wait_team(64, g.first_rank ? nullptr : resolve_without_result, no_operands, nullptr, "sum");
      },
      [] { cohort_wait_team(64, raw::thread_rank() >= 32 ? nullptr : resolve_without_result, nullptr, "sum"); });
}

TEST(GangReport, OperatorThatWaits) {
  for (const uint32_t size : {0u, 64u}) {
    for (const uint32_t width : {32u, 64u}) {
      const auto waits = [](uint32_t, void* const*) { cohort_wait_block(); };
      const auto joins = [](uint32_t, void* const*) { cohort_wait_warp(~0u, nullptr, nullptr, "sync"); };
      for (const cohort_resolve_team resolve : {cohort_resolve_team(waits), cohort_resolve_team(joins)}) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(raw::launch_gangs(
                      {{1, 1, 1}, {64, 1, 1}}, width,
                      [&](const cohort_gang&) { cohort_gang_wait_team(size, resolve, no_operands, nullptr, "sum"); }),
                  719);
        testing::internal::GetCapturedStderr();
        EXPECT_THAT(raw::last_report(), HasSubstr("called by the operator of another collective"));
      }
    }
  }
}

TEST(GangReport, MisuseByOneLaneNamesIt) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(raw::launch_gangs({{1, 1, 1}, {8, 8, 1}}, 64,
                              [](const cohort_gang& g) {
                                raw::name_thread(g, 37);
                                cohort_fail(719, "lane %d fails", 37);
                              }),
            719);
  testing::internal::GetCapturedStderr();
  EXPECT_THAT(raw::last_report(), testing::AllOf(HasSubstr("lane 37 fails"), HasSubstr("thread (5,4,0) of block")));
}

TEST(GangReport, ExceptionThatLeavesAGang) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(raw::launch_gangs({{1, 1, 1}, {64, 1, 1}}, 32,
                              [](const cohort_gang&) { throw std::runtime_error("out of ideas"); }),
            719);
  testing::internal::GetCapturedStderr();
  EXPECT_THAT(raw::last_report(), HasSubstr("an exception of type std::runtime_error left the kernel: out of ideas"));
}

// Lanes whose assertions fail stop, and the others continue to the next wait that needs them.
TEST(GangReport, AssertionsOfSeveralLanes) {
  for (const bool cannot_wait : {false, true}) {
    std::vector<int> before(128), after(128);
    const auto kernel = [&](const cohort_gang& g) {
      raw::lane_set lanes(g);
      lanes.each([&](uint32_t rank, uint32_t) {
        if (rank % 50 != 3) return;
        raw::name_thread(g, rank);
        cohort_gang_fail_assert("rank % 50 != 3", "k.cu", 7, "kernel");
      });
      if (!lanes.remove_if([](uint32_t rank) { return rank % 50 == 3; })) return;
      lanes.each([&](uint32_t rank, uint32_t) { ++before[rank]; });
      if (cannot_wait) return;
      cohort_gang_wait_block(lanes.mask());
      lanes.each([&](uint32_t rank, uint32_t) { ++after[rank]; });
    };
    raw::gang_kernel made({32}, kernel, raw::no_thread);
    if (cannot_wait) made.set_block_entry([](void**) {});
    testing::internal::CaptureStderr();
    EXPECT_EQ(made.launch({{1, 1, 1}, {128, 1, 1}}), 710);
    const std::string printed = testing::internal::GetCapturedStderr();
    for (const char* thread : {"[3,0,0]", "[53,0,0]", "[103,0,0]"}) {
      EXPECT_THAT(printed, HasSubstr("k.cu:7: kernel: block: [0,0,0], thread: " + std::string(thread) +
                                     " Assertion `rank % 50 != 3` failed.\n"));
    }
    for (uint32_t rank = 0; rank < 128; ++rank) {
      EXPECT_EQ(before[rank], rank % 50 != 3) << rank;
      EXPECT_EQ(after[rank], 0);
    }
  }
  EXPECT_EQ(raw::launch({{1, 1, 1}, {1, 1, 1}}, [] {}), 0);
}

}  // namespace
