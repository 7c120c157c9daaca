// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults and endless loops in gangs: the report names the thread, or the threads that it may have been.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

#include "engine/fiber/sanitizer.hpp"
#include "raw_gang.hpp"

namespace {

using testing::AllOf;
using testing::HasSubstr;

volatile int* const nowhere = reinterpret_cast<volatile int*>(24);

// The kernel runs again thread by thread, up to the fault: after a barrier, in one block of a cluster, or after a
// barrier of the grid.
TEST(GangFault, IllegalAccessNamesTheThread) {
  enum { plain, cluster, grid };
  for (const int kind : {plain, cluster, grid}) {
    const auto gang = [=](const cohort_gang& g) {
      cohort_gang_wait_block(nullptr);
      if (kind == cluster) cohort_gang_wait_cluster(nullptr);
      if (kind == grid) cohort_gang_wait_grid(nullptr);
      if (cohort_current_thread->block->block_index[0] == 1 && g.first_rank == 32) *nowhere = 1;
    };
    const auto thread = [=] {
      cohort_wait_block();
      if (kind == cluster) cohort_wait_cluster();
      if (kind == grid) cohort_wait_grid();
      if (raw::block_rank() == 1 && raw::thread_rank() == 37) *nowhere = 1;
    };
    raw::gang_kernel kernel({32}, gang, thread);
    raw::shape s{{2, 1, 1}, {16, 4, 1}};
    if (kind == cluster) s.cluster[0] = 2, s.cluster[1] = s.cluster[2] = 1;
    s.cooperative = kind == grid;
    EXPECT_EQ(kernel.launch_quietly(s), 700);
    EXPECT_THAT(raw::last_report(), AllOf(HasSubstr("illegal address 0x18 was accessed"),
                                          HasSubstr("thread (5,2,0) of block (1,0,0), at gang_fault_test.cpp")))
        << kind;
  }
}

TEST(GangFault, AccessThatDoesNotRepeatNamesTheLanesThatAreLeft) {
  const auto gang = [](const cohort_gang& g) {
    raw::lane_set lanes(g);
    lanes.remove_if([](uint32_t rank) { return rank == 34 || rank == 40; });
    cohort_gang_wait_block(lanes.mask());
    if (g.first_rank == 32) *nowhere = 1;
  };
  raw::gang_kernel kernel({32}, gang, raw::no_thread);
  EXPECT_EQ(kernel.launch_quietly({{1, 1, 1}, {64, 1, 1}}), 700);
  EXPECT_THAT(raw::last_report(), HasSubstr("one of threads 32-33, 35-39, 41-63 of block (0,0,0), at"));
}

// Kernels that cannot wait run their gangs in a loop.
TEST(GangFault, LoopOverGangs) {
  static int block_entries;
  block_entries = 0;
  for (const bool repeats : {true, false}) {
    std::vector<int> runs(100);
    const auto gang = [&](const cohort_gang& g) {
      for (uint32_t lane = 0; lane < g.lanes; ++lane) ++runs[g.first_rank + lane];
      if (g.first_rank == 64) *nowhere = 1;
    };
    const auto thread = [&] {
      if (repeats && raw::thread_rank() == 99) nowhere[1] = 1;
    };
    raw::gang_kernel kernel({64}, gang, thread);
    kernel.set_block_entry([](void**) { ++block_entries; });
    EXPECT_EQ(kernel.launch_quietly({{1, 1, 1}, {100, 1, 1}}), 700);
    // A gang may fault at the address of any of its lanes; the report has the address of the named thread.
    const auto address = reinterpret_cast<uintptr_t>(repeats ? nowhere + 1 : nowhere);
    char accessed[64];
    std::snprintf(accessed, sizeof accessed, "illegal address %#zx was accessed", size_t{address});
    EXPECT_THAT(raw::last_report(), AllOf(HasSubstr(accessed), HasSubstr(repeats ? "  thread (99,0,0) of block"
                                                                                 : "one of threads 64-99 of block")));
    for (int count : runs) EXPECT_EQ(count, 1);
  }
  EXPECT_EQ(block_entries, 0);
}

__attribute__((noinline)) int recurse(volatile int* sink, int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  *sink = frame[0];
  return *sink == 1000 ? 0 : recurse(sink, depth + 1) + frame[0];  // always false: a char is never 1000
}

TEST(GangFault, StackOverflowNamesTheThread) {
  volatile int sink = 0;
  const auto gang = [&](const cohort_gang& g) {
    cohort_gang_wait_block(nullptr);
    if (g.first_rank == 32) recurse(&sink, 0);
  };
  const auto thread = [&] {
    cohort_wait_block();
    if (raw::thread_rank() == 34) recurse(&sink, 0);
  };
  raw::gang_kernel kernel({32}, gang, thread);
  EXPECT_EQ(kernel.launch_quietly({{1, 1, 1}, {64, 1, 1}}), 714);
  EXPECT_THAT(raw::last_report(), AllOf(HasSubstr("stack overflow"), HasSubstr("thread (34,0,0) of block (0,0,0)")));
  EXPECT_EQ(raw::launch_gangs({{1, 1, 1}, {64, 1, 1}}, 32, [](const cohort_gang&) {}), 0);
}

// Runs with a short COHORT_TIMEOUT only.
TEST(GangTimeout, EndlessLoopNamesTheLanesInIt) {
#if defined(COHORT_TSAN)
  GTEST_SKIP() << "ThreadSanitizer delivers signals at calls only, and this loop makes none";
#endif
  if (cohort_device_get(0)->timeout_seconds > 1) GTEST_SKIP() << "needs COHORT_TIMEOUT";
  for (const bool cannot_wait : {false, true}) {
    for (const bool one : {false, true}) {
      const auto gang = [&](const cohort_gang& g) {
        if (g.first_rank != 32) return;
        g.looping[0] = one ? 0x100 : 0xf0;
        for (volatile unsigned i = 0;;) i = i + 1;
      };
      raw::gang_kernel kernel({32}, gang, raw::no_thread);
      if (cannot_wait) kernel.set_block_entry([](void**) {});
      EXPECT_EQ(kernel.launch_quietly({{1, 1, 1}, {64, 1, 1}}), 702);
      EXPECT_THAT(raw::last_report(),
                  AllOf(HasSubstr("an endless loop?"), HasSubstr(one ? "  thread (40,0,0) of block (0,0,0), at"
                                                                     : "  threads 36-39 of block (0,0,0), at")));
    }
  }
}

}  // namespace
