// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event of each completed synchronisation, as an installed listener receives it.
#include "engine/sync/event.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "engine/state/warp.hpp"
#include "event_recorder.hpp"
#include "raw_launch.hpp"

namespace {

using namespace cohort::engine;

void sync_warp(uint32_t mask) { cohort_wait_warp(mask, nullptr, nullptr, "sync"); }

TEST(SyncEvent, RendezvousNamesItsLanes) {
  event_recorder heard;
  ASSERT_EQ(raw::launch({{1, 1, 1}, {40, 1, 1}}, [] { sync_warp(raw::thread_rank() < 32 ? ~0u : 0xffu); }), 0);
  ASSERT_EQ(heard.count<lanes_synchronised>(), 2u);
  EXPECT_EQ(heard.all<lanes_synchronised>()[0].lanes, ~0u);
  EXPECT_EQ(heard.all<lanes_synchronised>()[1].lanes, 0xffu);
  EXPECT_EQ(heard.all<lanes_synchronised>()[1].warp, heard.all<lanes_synchronised>()[0].warp + 1);
  EXPECT_EQ(heard.count<block_ended>(), 1u);
  EXPECT_EQ(heard.count<launch_ended>(), 1u);
}

TEST(SyncEvent, LoneLane) {
  event_recorder heard;
  ASSERT_EQ(raw::launch({{1, 1, 1}, {3, 1, 1}}, [] { sync_warp(1u << raw::thread_rank()); }), 0);
  ASSERT_EQ(heard.count<lanes_synchronised>(), 3u);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(heard.all<lanes_synchronised>()[i].lanes, 1u << i);
}

TEST(SyncEvent, RendezvousThatAReturningLaneCompletes) {
  event_recorder heard;
  const auto kernel = [] {
    if (raw::thread_rank() != 4) sync_warp(0x1f);
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {5, 1, 1}}, kernel), 0);
  ASSERT_EQ(heard.count<lanes_synchronised>(), 1u);
  EXPECT_EQ(heard.all<lanes_synchronised>()[0].lanes, 0xfu);
}

TEST(SyncEvent, BlockAndTile) {
  event_recorder heard;
  const auto kernel = [] {
    cohort_wait_block();
    cohort_wait_team(64, nullptr, nullptr, "sync");
  };
  ASSERT_EQ(raw::launch({{2, 1, 1}, {100, 1, 1}}, kernel), 0);
  EXPECT_EQ(heard.count<block_synchronised>(), 2u);
  ASSERT_EQ(heard.count<tile_synchronised>(), 4u);
  std::map<uint32_t, uint32_t> threads;  // number of threads of each event, by its first thread
  for (const tile_synchronised& e : heard.all<tile_synchronised>()) threads[e.first_thread] = e.threads;
  EXPECT_EQ(threads, (std::map<uint32_t, uint32_t>{{0, 64}, {64, 36}}));
  EXPECT_EQ(heard.count<block_ended>(), 2u);
}

TEST(SyncEvent, Cluster) {
  event_recorder heard;
  ASSERT_EQ(raw::launch({{6, 1, 1}, {33, 1, 1}, {2, 1, 1}}, [] { cohort_wait_cluster(); }), 0);
  EXPECT_EQ(heard.count<cluster_synchronised>(), 3u);
  EXPECT_EQ(heard.count<block_ended>(), 6u);
}

TEST(SyncEvent, Grid) {
  event_recorder heard;
  const auto kernel = [] {
    for (int round = 0; round < 3; ++round) cohort_wait_grid();
  };
  ASSERT_EQ(raw::launch({{2, 1, 1}, {33, 1, 1}, {}, 1}, kernel), 0);
  EXPECT_EQ(heard.count<grid_synchronised>(), 3u);
  EXPECT_EQ(heard.count<multi_grid_synchronised>(), 0u);
}

TEST(SyncEvent, MultiGrid) {
  event_recorder heard;
  std::vector<int> devices;
  for (int d = 0; d < cohort_device_count(); ++d) devices.push_back(d);
  ASSERT_EQ(raw::launch_multi_device({{2, 1, 1}, {33, 1, 1}}, devices, [] { cohort_wait_multi_grid(); }), 0);
  EXPECT_EQ(heard.count<multi_grid_synchronised>(), 1u);
  EXPECT_EQ(heard.count<launch_ended>(), 1u);
}

// The last thread to arrive completes the phase, and its own wait finds it complete.
TEST(SyncEvent, TokenOfACompletePhase) {
  event_recorder heard;
  const auto kernel = [] {
    const uint32_t token = cohort_wait_arrive(cohort_barrier_tile_64, "arrive");
    cohort_wait_token(cohort_barrier_tile_64, token, "wait");
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {64, 1, 1}}, kernel), 0);
  ASSERT_EQ(heard.count<tile_synchronised>(), 1u);
  ASSERT_EQ(heard.count<phase_passed>(), 1u);  // the event of the thread that arrived last
  EXPECT_EQ(heard.all<phase_passed>()[0].lanes, 1u << 31);
}

void no_thread(void**) {}

TEST(SyncEvent, EndOfBlocksThatRunAsALoop) {
  event_recorder heard;
  const cohort_kernel kernel = {"loop", no_thread, no_thread, 0, 1024, 0, 0, nullptr};
  const cohort_launch launch = {&kernel, nullptr, {70, 1, 1}, {64, 1, 1}, 0, 0, 0};
  ASSERT_EQ(cohort_run(&launch), 0);
  EXPECT_EQ(heard.count<block_ended>(), 70u);
  EXPECT_EQ(heard.count<launch_ended>(), 1u);
}

}  // namespace
