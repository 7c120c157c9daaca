// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bare context switch.
#include "engine/fiber/switch.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "engine/fiber/stack.hpp"

// These tests switch contexts without announcing it to the sanitizers, so they do not run in sanitizer builds.
#if !defined(COHORT_ASAN) && !defined(COHORT_TSAN)
#define COHORT_BARE_SWITCH 1
#endif

namespace {

using namespace cohort::engine;

#if defined(COHORT_BARE_SWITCH)
constexpr size_t stack_size = 64 * 1024;

struct ring {
  context home;
  std::vector<context> fibers;
  std::vector<std::unique_ptr<char[]>> stacks;
  std::vector<int> order;
  std::vector<double> sums;
  size_t next = 0;
  int rounds = 0;
};
ring* the_ring = nullptr;

void run_fiber(void* argument) {
  ring& r = *the_ring;
  const size_t self = reinterpret_cast<size_t>(argument);
  double sum = 0;  // lives in a register or on this stack over each switch
  for (int round = 0; round < r.rounds; ++round) {
    r.order.push_back(static_cast<int>(self));
    sum += 0.5 * static_cast<double>(self) + round;
    r.sums[self] = sum;
    const size_t next = (self + 1) % r.fibers.size();
    if (next == 0 && round + 1 == r.rounds) cohort_switch(&r.fibers[self], &r.home);
    cohort_switch(&r.fibers[self], &r.fibers[next]);
  }
  cohort_switch(&r.fibers[self], &r.home);
}

TEST(Switch, RingKeepsOrderAndLocals) {
  for (const size_t count : {1u, 2u, 7u, 33u}) {
    ring r;
    the_ring = &r;
    r.rounds = 5;
    r.fibers.resize(count);
    r.sums.resize(count);
    for (size_t i = 0; i < count; ++i) {
      r.stacks.push_back(std::make_unique<char[]>(stack_size));
      char* low = r.stacks.back().get();
      const auto top = reinterpret_cast<uintptr_t>(low + stack_size) / 16 * 16;
      EXPECT_FALSE(r.fibers[i].resumable());
      cohort_make_context(&r.fibers[i], low, reinterpret_cast<void*>(top), run_fiber, reinterpret_cast<void*>(i));
      EXPECT_TRUE(r.fibers[i].resumable());
    }
    cohort_switch(&r.home, &r.fibers[0]);
    ASSERT_EQ(r.order.size(), count * 5);
    for (size_t i = 0; i < r.order.size(); ++i) EXPECT_EQ(r.order[i], static_cast<int>(i % count));
    for (size_t i = 0; i < count; ++i) EXPECT_DOUBLE_EQ(r.sums[i], 5 * 0.5 * static_cast<double>(i) + 10);
  }
}

// A stack must have the alignment of the calling convention, or aligned vector stores fault.
void check_alignment(void* argument) {
  alignas(16) volatile char local[16] = {};
  *static_cast<uintptr_t*>(argument) = reinterpret_cast<uintptr_t>(&local[0]) % 16;
  cohort_switch(&the_ring->fibers[0], &the_ring->home);
}

TEST(Switch, FirstFrameIsAligned) {
  ring r;
  the_ring = &r;
  r.fibers.resize(1);
  auto memory = std::make_unique<char[]>(stack_size);
  uintptr_t rest = 1;
  const auto top = reinterpret_cast<uintptr_t>(memory.get() + stack_size) / 16 * 16;
  cohort_make_context(&r.fibers[0], memory.get(), reinterpret_cast<void*>(top), check_alignment, &rest);
  cohort_switch(&r.home, &r.fibers[0]);
  EXPECT_EQ(rest, 0u);
}
#endif

}  // namespace
