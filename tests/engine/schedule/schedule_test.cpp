// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choices of a seed, the text of COHORT_SCHEDULE, and lists of switches.
#include "engine/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "engine/schedule/order_file.hpp"
#include "engine/search/shrink.hpp"

namespace {

using namespace cohort::engine;

TEST(Plan, ReadsItsOwnText) {
  for (const char* text : {"seed:0", "seed:18446744073709551600", "search:1000", "seed:7,depth:2", "search:3,depth:16",
                           "search:9,file:a,b", "shrink:4,depth:2", "file:a b"}) {
    const auto p = parse_plan(text);
    ASSERT_TRUE(p) << text;
    EXPECT_EQ(p->text(), text);
  }
}

TEST(Plan, RefusesOtherTexts) {
  for (const char* text : {"", "seed", "seed:", "seed:a", "seed:1 ", "search:0", "seed:1,depth:0", "seed:1,depth:17",
                           "SEED:1", "seed:1,depth:", "99"}) {
    EXPECT_FALSE(parse_plan(text)) << text;
  }
}

TEST(Order, ReadsItsOwnText) {
  const std::vector<order_switch> all = {{1, {}, 7, 31, false},
                                         {2, {5, 1023, ~uint64_t{0} - 1}, ~uint64_t{0} - 1, 0, true}};
  std::vector<order_switch> read;
  EXPECT_EQ(parse_order(order_text(all), read), "");
  EXPECT_EQ(read, all);
}

// A thousand elements, of which the test needs a few.
TEST(Shrink, FindsTheNeededElements) {
  std::vector<int> all(1000);
  std::iota(all.begin(), all.end(), 0);
  for (const std::vector<int>& needed : {std::vector<int>{}, {0}, {999}, {17, 18}, {3, 500, 998}}) {
    const auto holds = [&](const std::vector<int>& list) {
      const bool has_all = std::all_of(needed.begin(), needed.end(),
                                       [&](int n) { return std::find(list.begin(), list.end(), n) != list.end(); });
      return has_all ? std::optional(list) : std::nullopt;
    };
    EXPECT_EQ(cohort::engine::shrink(all, holds), needed);
  }
}

// The order in which the schedule runs a block's threads that wait for nothing.
std::vector<uint32_t> order_of(schedule& s, uint64_t block, uint32_t warps) {
  std::vector<uint32_t> ready(warps, ~0u), order;
  s.begin_block(block, warps * 32);
  s.next_block({block});
  for (uint32_t left = warps * 32; left; --left) {
    const uint32_t thread = s.next_thread(block, ready.data(), warps, 0);
    EXPECT_TRUE(thread < warps * 32 && ready[thread / 32] >> thread % 32 & 1) << thread;
    ready[thread / 32] &= ~(1u << thread % 32);
    order.push_back(thread);
  }
  return order;
}

TEST(Schedule, RunsEachThreadOnce) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    schedule s({plan_kind::seed, seed, 0});
    s.begin_launch();
    const std::vector<uint32_t> order = order_of(s, 5, 3);
    EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), 96u) << seed;
  }
}

TEST(Schedule, SeedsRepeatAndDiffer) {
  std::set<std::vector<uint32_t>> orders;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    schedule a({plan_kind::seed, seed, 0}), b({plan_kind::seed, seed, 0});
    for (int launch = 0; launch < 3; ++launch) {
      a.begin_launch();
      b.begin_launch();
      const std::vector<uint32_t> order = order_of(a, 1, 2);
      EXPECT_EQ(order, order_of(b, 1, 2));
      orders.insert(order);
    }
  }
  EXPECT_GT(orders.size(), 200u);
}

TEST(Schedule, SeedZeroIsInOrder) {
  schedule s({plan_kind::seed, 0, 0});
  s.begin_launch();
  const std::vector<uint32_t> order = order_of(s, 0, 2);
  for (uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
  EXPECT_EQ(s.blocks_at_once(64), 1u);
  EXPECT_EQ(s.unit_to_begin(17, 100), 17u);
}

TEST(Schedule, EachBlockBeginsOnce) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    schedule s({plan_kind::seed, seed, 0});
    s.begin_launch();
    for (const uint64_t count : {1u, 2u, 7u, 64u, 90u}) {
      std::set<uint64_t> begun;
      for (uint64_t i = 0; i < count; ++i) begun.insert(s.unit_to_begin(i, count));
      EXPECT_EQ(begun.size(), count);
      EXPECT_LT(*begun.rbegin(), count);
    }
  }
}

// Depth 2 is one preemption in each launch, at some step.
TEST(Schedule, DepthBoundsThePreemptions) {
  for (uint32_t depth = 1; depth <= 3; ++depth) {
    uint32_t most = 0;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
      schedule s({plan_kind::seed, seed, depth});
      s.begin_launch();
      s.begin_block(0, 32);
      s.next_block({0});
      uint32_t preemptions = 0;
      for (int step = 0; step < 20000; ++step) preemptions += s.preempts(0, 3, false, nullptr);
      most = std::max(most, preemptions);
      EXPECT_LE(preemptions, depth - 1);
    }
    EXPECT_EQ(most, depth - 1);
  }
}

// A thread that polls gives way to all others, so the one that it waits for runs.
TEST(Schedule, SpinningThreadsGoLast) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    schedule s({plan_kind::seed, seed, 1});
    s.begin_launch();
    s.begin_block(0, 64);
    s.next_block({0});
    const uint32_t ready[] = {~0u, ~0u};
    std::set<uint32_t> seen;
    for (int i = 0; i < 64; ++i) {
      const uint32_t thread = s.next_thread(0, ready, 2, 0);
      seen.insert(thread);
      s.spun(0, thread);
    }
    EXPECT_EQ(seen.size(), 64u);
  }
}

}  // namespace
