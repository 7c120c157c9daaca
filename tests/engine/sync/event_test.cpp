// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event of each completed synchronisation, as an installed listener receives it.
#include "sync/event.hpp"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <vector>

#include "raw_launch.hpp"
#include "state/block.hpp"

namespace {

using cohort::engine::sync_level;
using cohort::engine::synchronisation;

class recorder : public cohort::engine::sync_listener {
 public:
  recorder() { cohort::engine::add_listener(*this); }
  ~recorder() override { cohort::engine::remove_listener(*this); }
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  void synchronised(const synchronisation& s) override {
    const std::lock_guard lock(mutex_);
    events_[s.level].push_back(s);
  }
  const std::vector<synchronisation>& events(sync_level level) { return events_[level]; }
  size_t count(sync_level level) { return events_[level].size(); }

 private:
  std::mutex mutex_;
  std::map<sync_level, std::vector<synchronisation>> events_;
};

void sync_warp(uint32_t mask) { cohort_wait_warp(mask, nullptr, nullptr, "sync"); }

TEST(SyncEvent, RendezvousNamesItsLanes) {
  recorder heard;
  ASSERT_EQ(raw::launch({{1, 1, 1}, {40, 1, 1}}, [] { sync_warp(raw::thread_rank() < 32 ? ~0u : 0xffu); }), 0);
  ASSERT_EQ(heard.count(sync_level::warp), 2u);
  EXPECT_EQ(heard.events(sync_level::warp)[0].lanes, ~0u);
  EXPECT_EQ(heard.events(sync_level::warp)[1].lanes, 0xffu);
  EXPECT_EQ(heard.events(sync_level::warp)[1].warp, &heard.events(sync_level::warp)[1].block->warps[1]);
  EXPECT_EQ(heard.count(sync_level::block_end), 1u);
  EXPECT_EQ(heard.count(sync_level::launch_end), 1u);
}

TEST(SyncEvent, LoneLane) {
  recorder heard;
  ASSERT_EQ(raw::launch({{1, 1, 1}, {3, 1, 1}}, [] { sync_warp(1u << raw::thread_rank()); }), 0);
  ASSERT_EQ(heard.count(sync_level::warp), 3u);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(heard.events(sync_level::warp)[i].lanes, 1u << i);
}

TEST(SyncEvent, RendezvousThatAReturningLaneCompletes) {
  recorder heard;
  const auto kernel = [] {
    if (raw::thread_rank() != 4) sync_warp(0x1f);
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {5, 1, 1}}, kernel), 0);
  ASSERT_EQ(heard.count(sync_level::warp), 1u);
  EXPECT_EQ(heard.events(sync_level::warp)[0].lanes, 0xfu);
}

TEST(SyncEvent, BlockAndTile) {
  recorder heard;
  const auto kernel = [] {
    cohort_wait_block();
    cohort_wait_team(64, nullptr, nullptr, "sync");
  };
  ASSERT_EQ(raw::launch({{2, 1, 1}, {100, 1, 1}}, kernel), 0);
  EXPECT_EQ(heard.count(sync_level::block), 2u);
  ASSERT_EQ(heard.count(sync_level::tile), 4u);
  std::map<uint32_t, uint32_t> threads;  // by first thread
  for (const synchronisation& s : heard.events(sync_level::tile)) threads[s.first_thread] = s.threads;
  EXPECT_EQ(threads, (std::map<uint32_t, uint32_t>{{0, 64}, {64, 36}}));
  EXPECT_EQ(heard.count(sync_level::block_end), 2u);
}

TEST(SyncEvent, Cluster) {
  recorder heard;
  ASSERT_EQ(raw::launch({{6, 1, 1}, {33, 1, 1}, {2, 1, 1}}, [] { cohort_wait_cluster(); }), 0);
  EXPECT_EQ(heard.count(sync_level::cluster), 3u);
  EXPECT_EQ(heard.count(sync_level::block_end), 6u);
}

TEST(SyncEvent, Grid) {
  recorder heard;
  const auto kernel = [] {
    for (int round = 0; round < 3; ++round) cohort_wait_grid();
  };
  ASSERT_EQ(raw::launch({{2, 1, 1}, {33, 1, 1}, {}, 1}, kernel), 0);
  EXPECT_EQ(heard.count(sync_level::grid), 3u);
  EXPECT_EQ(heard.count(sync_level::multi_grid), 0u);
}

TEST(SyncEvent, MultiGrid) {
  recorder heard;
  std::vector<int> devices;
  for (int d = 0; d < cohort_device_count(); ++d) devices.push_back(d);
  ASSERT_EQ(raw::launch_multi_device({{2, 1, 1}, {33, 1, 1}}, devices, [] { cohort_wait_multi_grid(); }), 0);
  EXPECT_EQ(heard.count(sync_level::multi_grid), 1u);
  EXPECT_EQ(heard.count(sync_level::launch_end), 1u);
}

// The last thread to arrive completes the phase, and its own wait finds it complete.
TEST(SyncEvent, TokenOfACompletePhase) {
  recorder heard;
  const auto kernel = [] {
    const uint32_t token = cohort_wait_arrive(cohort_barrier_tile_64, "arrive");
    cohort_wait_token(cohort_barrier_tile_64, token, "wait");
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {64, 1, 1}}, kernel), 0);
  ASSERT_EQ(heard.count(sync_level::tile), 1u);
  ASSERT_EQ(heard.count(sync_level::token), 1u);  // of the thread that arrived last
  EXPECT_EQ(heard.events(sync_level::token)[0].lanes, 1u << 31);
}

void no_thread(void**) {}

TEST(SyncEvent, EndOfBlocksThatRunAsALoop) {
  recorder heard;
  const cohort_kernel kernel = {"loop", no_thread, no_thread, 0, 1024, 0, 0, nullptr};
  const cohort_launch launch = {&kernel, nullptr, {70, 1, 1}, {64, 1, 1}, 0, 0, 0};
  ASSERT_EQ(cohort_run(&launch), 0);
  EXPECT_EQ(heard.count(sync_level::block_end), 70u);
  EXPECT_EQ(heard.count(sync_level::launch_end), 1u);
}

}  // namespace
