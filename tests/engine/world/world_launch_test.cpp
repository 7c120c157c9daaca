// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches over a world whose processes are OS threads, each on a device of its own (COHORT_DEVICES).
#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/launch/pool.hpp"
#include "engine/world/world.hpp"
#include "raw_launch.hpp"
#include "thread_network.hpp"

namespace {

using testing::HasSubstr;

uint32_t processes() { return static_cast<uint32_t>(cohort_device_count()); }

// One simulated process: a world with one device.
struct process {
  process(thread_hub& hub, uint32_t number, double timeout = 30)
      : network(hub, number), world(network.table(), 1, timeout) {
    world.collected.messages.resize(hub.processes());
  }
  template <class Kernel>
  int launch(const raw::shape& s, const Kernel& kernel) {
    void* arguments[] = {const_cast<Kernel*>(&kernel)};
    cohort_launch l = raw::make<Kernel>(s, static_cast<int>(world.view.process), arguments);
    l.cooperative = 1;
    return cohort::engine::run_world_launch(world, &l, 1);
  }
  thread_network network;
  cohort_world world;
};

// Calls body(process) in a thread for each process of a world.
void run_processes(const std::function<void(process&)>& body, double timeout = 30) {
  thread_hub hub(processes());
  std::vector<std::unique_ptr<process>> all;
  for (uint32_t p = 0; p < processes(); ++p) all.push_back(std::make_unique<process>(hub, p, timeout));
  std::vector<std::thread> threads;
  for (auto& p : all) threads.emplace_back([&] { body(*p); });
  for (auto& t : threads) t.join();
}

TEST(World, BarriersAndPutsReachAllRanks) {
  for (const uint32_t threads : {1u, 33u}) {
    const raw::shape s{{3, 1, 1}, {threads, 1, 1}};
    const uint32_t blocks = 3 * processes();
    std::atomic<uint32_t> arrived{0};
    std::atomic<int> wrong{0};
    run_processes([&](process& p) {
      const auto kernel = [&] {
        wrong += cohort_multi_grid_count() != processes() || cohort_multi_grid_rank() != p.world.view.process;
        const uint32_t block = cohort_multi_grid_rank() * 3 + raw::block_rank();
        auto* scratch = static_cast<uint32_t*>(cohort_multi_grid_scratch(128));
        for (uint32_t round = 1; round <= 20; ++round) {
          ++arrived;
          const uint32_t word = 100 * round + block;
          if (raw::thread_rank() == 0) cohort_multi_grid_put(128, block * 128 + round % 2 * 64, &word, sizeof word);
          if (round % 3) {
            cohort_wait_multi_grid();
          } else {
            cohort_wait_token(cohort_barrier_multi_grid, cohort_wait_arrive(cohort_barrier_multi_grid, "arrive"),
                              "wait");
          }
          wrong += arrived < threads * blocks * round;
          for (uint32_t other = 0; other < blocks; ++other) {
            wrong += scratch[other * 32 + round % 2 * 16] != 100 * round + other;
          }
        }
      };
      wrong += p.launch(s, kernel) != 0;
      wrong += p.launch(s, [&] { cohort_wait_multi_grid(); }) != 0;
      wrong += cohort::engine::agree(p.world, cohort::engine::world_step::close, 0) != 0;
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(arrived, threads * blocks * 20);
  }
}

TEST(World, BlocksRunWhileAnExchangeIsInFlight) {
  std::atomic<int> wrong{0};
  std::atomic<bool> may_come{false};
  run_processes([&](process& p) {
    const auto kernel = [&] {
      // The last process launches once a block of the first one has run past its arrival.
      if (p.world.view.process + 1 == processes()) {
        while (!may_come) cohort_wait_yield();
      }
      const uint32_t token = cohort_wait_arrive(cohort_barrier_multi_grid, "arrive");
      if (p.world.view.process == 0) {
        for (int i = 0; i < 3; ++i) cohort_wait_grid();
        may_come = true;
      }
      cohort_wait_token(cohort_barrier_multi_grid, token, "wait");
    };
    wrong += processes() > 1 && p.launch({{2, 1, 1}, {5, 1, 1}}, kernel) != 0;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(World, AFailureInOneProcessFailsAll) {
  if (processes() < 2) GTEST_SKIP() << "needs several devices";
  std::atomic<int> others{0};
  run_processes([&](process& p) {
    const auto kernel = [&] {
      if (p.world.view.process == 1) cohort_fail(717, "a failure on purpose");
      cohort_wait_multi_grid();
    };
    const int error = p.launch({{2, 1, 1}, {5, 1, 1}}, kernel);
    others += error == (p.world.view.process == 1 ? 717 : 719);
    // The world remains usable after a launch that failed.
    others += p.launch({{2, 1, 1}, {5, 1, 1}}, [] { cohort_wait_multi_grid(); }) == 0;
  });
  EXPECT_EQ(others, static_cast<int>(2 * processes()));
}

TEST(World, EarlyReturnIsReportedAtOnce) {
  if (processes() < 2) GTEST_SKIP() << "needs several devices";
  std::atomic<int> failed{0};
  run_processes([&](process& p) {
    const auto kernel = [&] {
      if (p.world.view.process == 1) return;
      cohort_wait_multi_grid();
    };
    failed += p.launch({{2, 1, 1}, {5, 1, 1}}, kernel) == 719;
  });
  EXPECT_EQ(failed, static_cast<int>(processes()));
  EXPECT_THAT(raw::last_report(), HasSubstr("returned from the kernel with all threads"));
  EXPECT_THAT(raw::last_report(), HasSubstr("waits at world_group.sync() or in a collective, barrier 1 of the launch"));
}

TEST(World, OtherShapesAreRefused) {
  if (processes() < 2) GTEST_SKIP() << "needs several devices";
  std::atomic<int> failed{0};
  run_processes([&](process& p) {
    const uint32_t blocks = p.world.view.process == 1 ? 2 : 1;
    failed += p.launch({{blocks, 1, 1}, {5, 1, 1}}, [] { cohort_wait_multi_grid(); }) == 719;
    const uint32_t many = p.world.view.process == 1 ? 1u << 30 : 1;
    failed += p.launch({{many, 1, 1}, {5, 1, 1}}, [] {}) == (p.world.view.process == 1 ? 720 : 719);
  });
  EXPECT_EQ(failed, static_cast<int>(2 * processes()));
  EXPECT_THAT(raw::last_report(), HasSubstr("rank 1 cannot launch (error 720)"));
}

TEST(World, AProcessThatDoesNotComeIsLost) {
  if (processes() < 2) GTEST_SKIP() << "needs several devices";
  std::atomic<int> lost{0}, aborts{0};
  run_processes(
      [&](process& p) {
        const auto kernel = [&] {
          if (p.world.view.process == 1) p.network.broken_from = 2;  // the network fails as if it were cut
          cohort_wait_multi_grid();
          cohort_wait_multi_grid();
        };
        lost += p.launch({{1, 1, 1}, {3, 1, 1}}, kernel) == 719 && p.world.lost;
        lost += p.launch({{1, 1, 1}, {3, 1, 1}}, kernel) == 719;  // returns at once
        aborts += p.network.aborts;
      },
      0.3);
  EXPECT_EQ(lost, static_cast<int>(2 * processes()));
  EXPECT_EQ(aborts, static_cast<int>(processes()));
}

}  // namespace
