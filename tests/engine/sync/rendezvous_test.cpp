// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp's rendezvous: it waits for exactly the lanes of the mask and is resolved once, also where masks overlap.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cohort/launch.hpp"

namespace {

struct meeting {
  uint32_t lanes = 0;
  uint32_t sum = 0;
  uint32_t value = 0;
};

void add_up(uint32_t lanes, void* const* operands) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 32; ++i) {
    if (lanes >> i & 1) sum += static_cast<meeting*>(operands[i])->value;
  }
  for (uint32_t i = 0; i < 32; ++i) {
    if (!(lanes >> i & 1)) continue;
    static_cast<meeting*>(operands[i])->lanes += lanes;
    static_cast<meeting*>(operands[i])->sum += sum;
  }
}

uint32_t value_of(uint32_t thread) { return thread * thread + 1; }

meeting meet(uint32_t mask) {
  meeting m;
  m.value = value_of(cohort_current_thread->thread_rank);
  cohort_wait_warp(mask, add_up, &m, "meeting");
  return m;
}

uint32_t expected_sum(uint32_t warp, uint32_t lanes) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 32; ++i) {
    if (lanes >> i & 1) sum += value_of(warp * 32 + i);
  }
  return sum;
}

class Warp : public ::testing::TestWithParam<unsigned> {};

TEST_P(Warp, MasksOfEverySizeMeetSideBySide) {
  const unsigned threads = GetParam();
  for (uint32_t size = 1; size <= 32; size *= 2) {
    std::vector<meeting> results(threads);
    meeting* out = results.data();
    const auto kernel = [=] {
      const uint32_t me = cohort_current_thread->thread_rank;
      const uint32_t first = me % 32 / size * size;
      const uint32_t mask = (size == 32 ? ~0u : (1u << size) - 1) << first;
      out[me] = meet(mask);
    };
    ASSERT_EQ(cohort::launch(1, threads, kernel).number(), 0);
    for (uint32_t i = 0; i < threads; ++i) {
      const uint32_t warp = i / 32;
      const uint32_t present = threads - warp * 32 >= 32 ? ~0u : (1u << (threads - warp * 32)) - 1;
      const uint32_t mask = ((size == 32 ? ~0u : (1u << size) - 1) << (i % 32 / size * size)) & present;
      EXPECT_EQ(results[i].lanes, mask);
      EXPECT_EQ(results[i].sum, expected_sum(warp, mask));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Warp, ::testing::Values(1u, 5u, 31u, 32u, 33u, 64u, 95u, 256u));

// Lanes 0 to 15 complete rendezvous of their own while lanes 16 to 31 already wait for the whole warp.
TEST(Warp, NestedMasksDoNotMixUp) {
  std::vector<meeting> whole(32), half(32);
  meeting *w = whole.data(), *h = half.data();
  const auto kernel = [=] {
    const uint32_t me = cohort_current_thread->thread_rank;
    if (me < 16) {
      for (int i = 0; i < 3; ++i) h[me] = meet(0xffff);
    }
    w[me] = meet(~0u);
  };
  ASSERT_EQ(cohort::launch(1, 32, kernel).number(), 0);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(whole[i].sum, expected_sum(0, ~0u));
    if (i < 16) {
      EXPECT_EQ(half[i].sum, expected_sum(0, 0xffff));
    }
  }
}

TEST(Warp, LanesThatReturnedAreNotWaitedFor) {
  std::vector<meeting> results(32);
  meeting* out = results.data();
  const auto kernel = [=] {
    const uint32_t me = cohort_current_thread->thread_rank;
    if (me % 4 == 3) return;            // before any lane waits
    if (me == 30) cohort_wait_block();  // returns once all others wait, at the rendezvous or at this barrier
    if (me == 30) return;
    if (me % 2 == 0 && me != 30) {
      out[me] = meet(~0u);
      cohort_wait_block();
    } else {
      out[me] = meet(~0u);
      cohort_wait_block();
    }
  };
  // A deadlock: lane 30 waits at the barrier, and the others wait for lane 30 in the rendezvous before it.
  EXPECT_EQ(cohort::launch(1, 32, kernel).number(), 719);
  const auto early = [=] {
    const uint32_t me = cohort_current_thread->thread_rank;
    if (me % 4 == 3) return;
    out[me] = meet(~0u);
  };
  ASSERT_EQ(cohort::launch(1, 32, early).number(), 0);
  for (uint32_t i = 0; i < 32; ++i) {
    if (i % 4 == 3) continue;
    EXPECT_EQ(results[i].lanes, 0x77777777u);
    EXPECT_EQ(results[i].sum, expected_sum(0, 0x77777777u));
  }
  // The only missing lane returns while the others already wait.
  const auto late = [=] {
    const uint32_t me = cohort_current_thread->thread_rank;
    if (me == 31) return;
    out[me] = meet(~0u);
  };
  ASSERT_EQ(cohort::launch(1, 32, late).number(), 0);
  for (uint32_t i = 0; i < 31; ++i) EXPECT_EQ(results[i].lanes, 0x7fffffffu);
}

void yields_inside(uint32_t, void* const*) {
  for (int i = 0; i < 10; ++i) cohort_wait_yield();
}

TEST(Warp, ResolveFunctionsThatYieldGoOn) {
  const auto kernel = [] {
    for (int i = 0; i < 3; ++i) cohort_wait_warp(~0u, yields_inside, nullptr, "yielding");
  };
  EXPECT_EQ(cohort::launch(2, 40, kernel).number(), 0);
}

}  // namespace
