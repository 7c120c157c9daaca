// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several virtual devices, and launches over all of them.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "raw_launch.hpp"

namespace {

std::vector<int> all_devices() {
  std::vector<int> devices;
  for (int d = 0; d < cohort_device_count(); ++d) devices.push_back(d);
  return devices;
}

TEST(MultiDevice, CountComesFromTheEnvironment) {
  const char* text = std::getenv("COHORT_DEVICES");
  EXPECT_EQ(cohort_device_count(), text ? std::atoi(text) : 1);
  EXPECT_NE(cohort_device_get(cohort_device_count() - 1), nullptr);
  EXPECT_EQ(cohort_device_get(cohort_device_count()), nullptr);
  EXPECT_EQ(cohort_device_get(-1), nullptr);
}

TEST(MultiDevice, OneBarrierOverAllGrids) {
  const auto devices = all_devices();
  const auto count = static_cast<uint32_t>(devices.size());
  for (const uint32_t threads : {1u, 40u, 128u}) {
    const raw::shape s{{2, 1, 1}, {threads, 1, 1}};
    std::atomic<uint32_t> arrived{0};
    std::atomic<int> wrong{0};
    std::vector<std::atomic<uint32_t>> seen(count);
    const auto kernel = [&] {
      wrong += cohort_multi_grid_count() != count || cohort_multi_grid_rank() >= count;
      wrong += static_cast<int>(cohort_device_index()) != devices[cohort_multi_grid_rank()];
      ++seen[cohort_multi_grid_rank()];
      for (uint32_t round = 1; round <= 5; ++round) {
        ++arrived;
        if (round % 2) {
          cohort_wait_multi_grid();
        } else {
          cohort_wait_token(cohort_barrier_multi_grid, cohort_wait_arrive(cohort_barrier_multi_grid, "arrive"), "wait");
        }
        wrong += arrived != 2 * threads * count * round;
        cohort_wait_grid();
        cohort_wait_multi_grid();
      }
      auto* scratch = static_cast<uint32_t*>(cohort_multi_grid_scratch(128));
      const uint32_t block = cohort_multi_grid_rank() * 2 + raw::block_rank();
      if (raw::thread_rank() == 0) scratch[block * 32] = block + 1;
      cohort_wait_multi_grid();
      for (uint32_t other = 0; other < 2 * count; ++other) wrong += scratch[other * 32] != other + 1;
      const uint32_t word = 100 + block;
      if (raw::thread_rank() == 0) cohort_multi_grid_put(128, block * 128 + 64, &word, sizeof word);
      cohort_wait_multi_grid();
      for (uint32_t other = 0; other < 2 * count; ++other) wrong += scratch[other * 32 + 16] != other + 100;
    };
    ASSERT_EQ(raw::launch_multi_device(s, devices, kernel), 0);
    EXPECT_EQ(wrong, 0);
    for (auto& grid : seen) EXPECT_EQ(grid, 2 * threads);
  }
}

TEST(MultiDevice, ListsThatCannotBeAreRefused) {
  const auto kernel = [] {};
  const int last = cohort_device_count() - 1;
  EXPECT_EQ(raw::launch_multi_device({{1, 1, 1}, {1, 1, 1}}, {}, kernel), 1);
  EXPECT_EQ(raw::launch_multi_device({{1, 1, 1}, {1, 1, 1}}, {0, 0}, kernel), 1);
  EXPECT_NE(raw::launch_multi_device({{1, 1, 1}, {1, 1, 1}}, {last + 1}, kernel), 0);
  EXPECT_EQ(raw::launch_multi_device({{1 << 20, 1, 1}, {1024, 1, 1}}, {last}, kernel), 720);
  EXPECT_EQ(raw::launch_multi_device({{1, 1, 1}, {1, 1, 1}}, {last}, kernel), 0);
}

TEST(MultiDevice, LaunchesOfTwoHostThreadsInOppositeOrder) {
  auto forward = all_devices();
  std::vector<int> backward(forward.rbegin(), forward.rend());
  std::atomic<int> wrong{0}, inside{0}, launches{0};
  const auto kernel = [&] {
    if (cohort_multi_grid_rank() == 0 && raw::block_rank() == 0) wrong += ++inside != 1;
    cohort_wait_multi_grid();
    if (cohort_multi_grid_rank() == 0 && raw::block_rank() == 0) --inside;
  };
  const auto launch_some = [&](const std::vector<int>& devices) {
    for (int i = 0; i < 20; ++i) {
      wrong += raw::launch_multi_device({{2, 1, 1}, {1, 1, 1}}, devices, kernel) != 0;
      ++launches;
    }
  };
  std::thread other(launch_some, backward);
  launch_some(forward);
  other.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(launches, 40);
}

TEST(MultiDevice, AGridThatDoesNotComeIsReported) {
  const auto kernel = [&] {
    if (cohort_multi_grid_rank() + 1 == cohort_multi_grid_count() && raw::block_rank() == 1) return;
    cohort_wait_multi_grid();
  };
  EXPECT_EQ(raw::launch_multi_device({{2, 1, 1}, {16, 1, 1}}, all_devices(), kernel), 719);
  std::string report(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(report.data(), report.size() + 1);
  EXPECT_NE(report.find("deadlock in kernel"), std::string::npos) << report;
  EXPECT_NE(report.find("multi_grid_group.sync: 1 of 2 blocks of device " + std::to_string(cohort_device_count() - 1)),
            std::string::npos)
      << report;
  const auto outside = [] { cohort_wait_multi_grid(); };
  EXPECT_EQ(raw::launch({{1, 1, 1}, {1, 1, 1}, {}, 1}, outside), 719);
}

}  // namespace
