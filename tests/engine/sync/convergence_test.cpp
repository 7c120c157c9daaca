// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort_wait_converged() returns all lanes that can reach the same place, and the same set in each run.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cohort/launch.hpp"

namespace {

template <class Kernel>
std::vector<uint32_t> masks_of(unsigned threads, Kernel kernel) {
  std::vector<uint32_t> masks(threads, 0);
  uint32_t* out = masks.data();
  const auto run = [=] { kernel(cohort_current_thread->thread_rank, out); };
  EXPECT_EQ(cohort::launch(1, threads, run).number(), 0);
  return masks;
}

TEST(Convergence, WholeWarpAndRaggedWarp) {
  const auto masks = masks_of(77, [](uint32_t me, uint32_t* out) { out[me] = cohort_wait_converged(); });
  for (uint32_t i = 0; i < 77; ++i) EXPECT_EQ(masks[i], i < 64 ? ~0u : 0x1fffu) << i;
}

TEST(Convergence, BranchHoldsExactlyItsLanes) {
  const auto masks = masks_of(32, [](uint32_t me, uint32_t* out) {
    if (me == 2 || me == 4 || me == 8) out[me] = cohort_wait_converged();
  });
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(masks[i], i == 2 || i == 4 || i == 8 ? 0x114u : 0u);
}

// The two functions have different code, because compilers may merge functions with equal code.
__attribute__((noinline)) uint32_t here() { return ~cohort_wait_converged(); }
__attribute__((noinline)) uint32_t there() { return cohort_wait_converged() + 1; }

TEST(Convergence, ArmsOfABranchMeetAgainBehindIt) {
  std::vector<uint32_t> arm(32, 0);
  uint32_t* in_arm = arm.data();
  const auto behind = masks_of(32, [=](uint32_t me, uint32_t* out) {
    if (me % 3 == 0) {
      in_arm[me] = ~here();
    } else {
      in_arm[me] = there() - 1;
    }
    out[me] = cohort_wait_converged();
  });
  uint32_t thirds = 0;
  for (uint32_t i = 0; i < 32; i += 3) thirds |= 1u << i;
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(arm[i], i % 3 == 0 ? thirds : ~thirds) << i;
    EXPECT_EQ(behind[i], ~0u) << i;
  }
}

// One lane waits for convergence while the other lanes do so again and again in a loop, deeper in the call stack.
// Deeper calls are released first, but the lane must not wait for ever.
TEST(Convergence, NobodyStarves) {
  int done = 0;
  const auto kernel = [&done] {
    if (cohort_current_thread->thread_rank == 0) {
      cohort_wait_converged();
      done = 1;
    } else {
      while (!*const_cast<volatile int*>(&done)) there();
    }
  };
  EXPECT_EQ(cohort::launch(1, 32, kernel).number(), 0);
}

// Loops of different length: in each iteration the group contains the lanes that are still in the loop.
TEST(Convergence, LoopsOfDifferentLength) {
  std::vector<uint32_t> masks(32 * 4, 0);
  uint32_t* out = masks.data();
  const auto kernel = [=] {
    const uint32_t me = cohort_current_thread->thread_rank;
    for (uint32_t round = 0; round < me % 5; ++round) out[me * 4 + round] = cohort_wait_converged();
  };
  ASSERT_EQ(cohort::launch(1, 32, kernel).number(), 0);
  for (uint32_t i = 0; i < 32; ++i) {
    for (uint32_t round = 0; round < i % 5; ++round) {
      uint32_t expected = 0;
      for (uint32_t j = 0; j < 32; ++j) expected |= uint32_t{j % 5 > round} << j;
      EXPECT_EQ(masks[i * 4 + round], expected) << "lane " << i << " round " << round;
    }
  }
}

// Lanes at the block's barrier cannot run, so they do not keep others from converging.
TEST(Convergence, LanesAtABarrierDoNotCount) {
  const auto masks = masks_of(32, [](uint32_t me, uint32_t* out) {
    if (me < 8) out[me] = cohort_wait_converged();
    cohort_wait_block();
    if (me >= 8) out[me] = cohort_wait_converged();
  });
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(masks[i], i < 8 ? 0xffu : 0xffffff00u);
}

}  // namespace
