// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A deadlock ends in a report: the group, the source line, and the threads that arrived, wait elsewhere or returned.
#include <atomic>

#include "report.hpp"

namespace cg = cohort;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

int after = 0;  // work after a wait: the wait must not become the kernel's tail call

void skips_barrier(int* data) {
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 7) {
    cg::tiled_partition<32>(block).sync();
    data[0] = 1;
  } else {
    block.sync();
    data[1] = 2;
  }
}

TEST(Deadlock, OneThreadWaitsElsewhere) {
  int data[2] = {};
  EXPECT_EQ(cohort::launch(1, 64, skips_barrier, data).number(), 719);
  const std::string report = last_report();
  EXPECT_THAT(
      report,
      AllOf(HasSubstr("cohort: deadlock in kernel"), HasSubstr("skips_barrier"), HasSubstr("block (0,0,0), 64 threads"),
            HasSubstr("63 threads: wait at the block's barrier"), HasSubstr("63 of 64 threads arrived"),
            HasSubstr("threads 0-6, 8-63"), HasSubstr("1 thread: wait in"), HasSubstr("lanes 0xffffff7f are missing"),
            HasSubstr("thread 7"), HasSubstr("deadlock_test.cpp:")));
  EXPECT_EQ(data[0] + data[1], 0);
  expect_device_works();
}

TEST(Deadlock, LanesInDifferentCollectives) {
  const auto kernel = [] {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (warp.thread_rank() < 10) {
      after += static_cast<int>(warp.ballot(1));
    } else {
      after += warp.shfl(1, 0);
    }
  };
  EXPECT_EQ(cohort::launch(1, 32, kernel).number(), 719);
  EXPECT_THAT(last_report(),
              AllOf(HasSubstr("10 threads: wait in"), HasSubstr("ballot"), HasSubstr("lanes 0xfffffc00 are missing"),
                    HasSubstr("22 threads: wait in"), HasSubstr("shfl"), HasSubstr("lanes 0x000003ff are missing")));
  expect_device_works();
}

TEST(Deadlock, TwoDimensionalBlockNamesIndices) {
  const auto kernel = [] {
    if (cohort_thread_index(1) == 2) {
      cohort_wait_warp(~0u, nullptr, nullptr, "hand-made collective");
    } else {
      cohort_wait_block();
    }
    ++after;
  };
  EXPECT_EQ(cohort::launch(cohort::dim3(2, 2), cohort::dim3(4, 3), kernel).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("<<<(2,2,1), (4,3,1)>>>"), HasSubstr("hand-made collective"),
                                   HasSubstr("first (0,2,0)"), HasSubstr("threads 8-11")));
}

TEST(Deadlock, BlockReturnsBeforeTheGridBarrier) {
  const auto kernel = [] {
    const auto grid = cg::this_grid();
    if (grid.block_rank() == 1) return;
    grid.sync();
    ++after;
  };
  EXPECT_EQ(cohort::launch_cooperative(4, 48, kernel).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("cooperative launch"), HasSubstr("grid_group.sync: 3 of 4 blocks arrived"),
                                   HasSubstr("arrived:  blocks 0, 2-3"), HasSubstr("returned: blocks 1"),
                                   HasSubstr("48 threads: wait at the grid's barrier")));
  expect_device_works();
}

TEST(Deadlock, PartOfABlockAtTheGridBarrier) {
  const auto kernel = [] {
    if (cohort_current_thread->thread_rank == 3) {
      cohort_wait_block();
    } else {
      cohort_wait_grid();
    }
    ++after;
  };
  EXPECT_EQ(cohort::launch_cooperative(2, 8, kernel).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("7 threads: wait at the grid's barrier"),
                                   HasSubstr("1 thread: wait at the block's barrier"), HasSubstr("thread 3")));
}

TEST(Deadlock, GridBarrierInAPlainLaunch) {
  const auto kernel = [] {
    cg::this_grid().sync();
    ++after;
  };
  EXPECT_EQ(cohort::launch(2, 8, kernel).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("launch that is not cooperative"),
                                   HasSubstr("cudaLaunchCooperativeKernel"), HasSubstr("deadlock_test.cpp:")));
  expect_device_works();
}

TEST(Deadlock, MaskWithoutTheCaller) {
  const auto kernel = [] {
    cohort_wait_warp(0x2, nullptr, nullptr, "__syncwarp");
    ++after;
  };
  EXPECT_EQ(cohort::launch(1, 1, kernel).number(), 719);
  EXPECT_THAT(last_report(), AllOf(HasSubstr("__syncwarp: lane 0 called with mask 0x00000002, which does not name it"),
                                   HasSubstr("deadlock_test.cpp:")));
}

TEST(Deadlock, OtherBlocksOfAPlainGridMayHaveRun) {
  std::atomic<int> finished{0};
  const auto kernel = [&] {
    if (cohort_block_index(0) == 5 && cohort_current_thread->thread_rank == 0)
      cohort_wait_warp(~0u, nullptr, nullptr, "x");
    cohort_wait_block();
    ++finished;
  };
  EXPECT_EQ(cohort::launch(40, 32, kernel).number(), 719);
  EXPECT_THAT(last_report(), HasSubstr("block (5,0,0)"));
  EXPECT_LT(finished, 40 * 32);
  expect_device_works();
}

}  // namespace
