// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gate between a launch and the workers of its pool: which workers enter, and how long the launch must live.
#include "engine/launch/gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "raw_launch.hpp"

namespace {

using cohort::engine::gate;

TEST(Gate, AdmitsWorkersOfTheOpenLaunchOnly) {
  gate g;
  EXPECT_FALSE(g.enter(0));
  EXPECT_FALSE(g.enter(1));
  const uint32_t first = g.open();
  EXPECT_FALSE(g.enter(first + 1));
  EXPECT_TRUE(g.enter(first));
  EXPECT_TRUE(g.enter(first));
  g.leave();
  g.leave();
  g.close();
  EXPECT_FALSE(g.enter(first));
  const uint32_t second = g.open();
  EXPECT_NE(second, first);
  EXPECT_FALSE(g.enter(first));
  EXPECT_TRUE(g.enter(second));
  g.leave();
  g.close();
}

TEST(Gate, CloseWaitsForTheWorkersInside) {
  gate g;
  const uint32_t number = g.open();
  ASSERT_TRUE(g.enter(number));
  std::atomic<bool> left{false};
  std::thread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    left = true;
    g.leave();
  });
  g.close();
  EXPECT_TRUE(left);
  worker.join();
}

// Each launch is an object that is freed when its gate has closed, while workers still try to enter it.
TEST(Gate, NoWorkerTouchesALaunchThatIsOver) {
  constexpr int launches = 20000;
  gate g;
  std::atomic<uint32_t> newest{0};
  std::atomic<bool> over{false};
  int* launch = nullptr;
  std::atomic<int> entered{0}, wrong{0};
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) {
    workers.emplace_back([&] {
      while (!over) {
        const uint32_t number = newest;
        if (!g.enter(number)) continue;
        if (*launch != static_cast<int>(number)) ++wrong;
        ++entered;
        g.leave();
      }
    });
  }
  for (int i = 1; i <= launches; ++i) {
    const auto made = std::make_unique<int>(i);
    launch = made.get();
    newest = g.open();
    if (i % 1000 == 0) {
      const int before = entered;
      while (entered == before) std::this_thread::yield();
    }
    g.close();
  }
  over = true;
  for (std::thread& w : workers) w.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(entered, launches / 1000);
}

// Small launches end before all workers have woken up, whatever kind of launch follows.
TEST(Pool, LaunchesOfEveryKindFollowEachOther) {
  std::vector<int> written(8);
  for (int i = 0; i < 3000; ++i) {
    const uint32_t blocks = 1 + static_cast<uint32_t>(i) % 5;
    const bool cooperative = i % 3 == 1 && blocks <= 2;
    const bool fails = i % 500 == 499;
    raw::shape s{{blocks, 1, 1}, {2, 1, 1}};
    s.cooperative = cooperative;
    if (fails) testing::internal::CaptureStderr();
    const int error = raw::launch(s, [&] {
      if (fails) cohort_fail(719, "the last of 500 launches fails");
      if (cooperative) cohort_wait_grid();
      cohort_wait_block();
      if (raw::thread_rank() == 0) ++written[raw::block_rank()];
    });
    if (fails) {
      EXPECT_NE(testing::internal::GetCapturedStderr().find("the last of 500"), std::string::npos);
    }
    ASSERT_EQ(error, fails ? 719 : 0) << i;
    for (uint32_t block = 0; block < written.size(); ++block) {
      ASSERT_EQ(written[block], block < blocks && !fails ? 1 : 0) << i << ' ' << block;
      written[block] = 0;
    }
  }
}

}  // namespace
