// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of launches over several GPUs, against a fake runtime: no GPU is needed.
#include <gtest/gtest.h>

#include <cohort/base/dim3.hpp>
#include <cohort/launch/cuda/multi_gpu/launch_order.hpp>
#include <cohort/launch/cuda/multi_gpu/list_rules.hpp>
#include <set>
#include <utility>
#include <vector>

namespace {

using namespace cohort;
using namespace cohort::detail;

struct entry {
  const void* func;
  cohort::dim3 gridDim, blockDim;
  std::size_t sharedMem;
  int stream;  // stream s belongs to device s / 10; 0 is the default stream
};

struct machine {
  int devices = 4;
  std::set<int> not_cooperative, capturing;
  std::set<std::pair<int, int>> unreachable;
  std::vector<std::uint64_t> fitting = {100, 100, 100, 100};
  const void* kernel;

  int device_count() const { return devices; }
  bool is_default_stream(int s) const { return s == 0; }
  bool device_of(int s, int* device) const {
    *device = s / 10;
    return s > 0 && s < 10 * devices;
  }
  bool is_capturing(int s) const { return capturing.count(s) != 0; }
  bool is_kernel(const void* f, int) const { return f == kernel; }
  bool is_cooperative(int d) const { return not_cooperative.count(d) == 0; }
  bool allows_shape(const entry& e, int) const { return e.blockDim.x >= 1 && e.blockDim.x <= 1024 && e.gridDim.x != 0; }
  bool reaches(int d, int peer) const { return unreachable.count({d, peer}) == 0; }
  std::uint64_t resident_blocks(const entry&, int d) const { return fitting[static_cast<std::size_t>(d)]; }
};

struct MultiDeviceRules : testing::Test {
  MultiDeviceRules() {
    m.kernel = this;
    for (int d = 0; d < 4; ++d) list.push_back({this, {10, 2, 1}, {32, 1, 1}, 0, 10 * d + 1});
  }
  int check(unsigned int count = 4, unsigned int flags = 0) {
    return check_list(list.data(), count, flags, m, devices);
  }
  machine m;
  std::vector<entry> list;
  int devices[cohort::max_devices] = {};
};

TEST_F(MultiDeviceRules, ARightListGivesItsDevices) {
  std::swap(list[0], list[3]);
  for (unsigned int flags = 0; flags < 4; ++flags) EXPECT_EQ(check(4, flags), error_none);
  EXPECT_EQ(devices[0], 3);
  EXPECT_EQ(devices[1], 1);
  EXPECT_EQ(devices[3], 0);
}

TEST_F(MultiDeviceRules, ListsOfAWrongLength) {
  EXPECT_EQ(check(0), error_invalid_value);
  list.push_back(list[0]);
  EXPECT_EQ(check(5), error_invalid_value);
  EXPECT_EQ(check(4, 4), error_invalid_value);
  EXPECT_EQ(check_list<entry>(nullptr, 1, 0, m, devices), error_invalid_value);
}

TEST_F(MultiDeviceRules, WrongEntries) {
  const auto with = [&](auto change) {
    const entry kept = list[2];
    change(list[2]);
    const int result = check();
    list[2] = kept;
    return result;
  };
  EXPECT_EQ(with([](entry& e) { e.stream = 0; }), error_invalid_resource_handle);
  EXPECT_EQ(with([](entry& e) { e.stream = 77; }), error_invalid_resource_handle);
  EXPECT_EQ(with([](entry& e) { e.stream = 12; }), error_invalid_device) << "a device twice";
  EXPECT_EQ(with([](entry& e) { e.gridDim.y = 1; }), error_invalid_value);
  EXPECT_EQ(with([](entry& e) { e.blockDim.x = 64; }), error_invalid_value);
  EXPECT_EQ(with([](entry& e) { e.sharedMem = 8; }), error_invalid_value);
  EXPECT_EQ(with([&](entry& e) { e.func = &list; }), error_invalid_value);
  EXPECT_EQ(with([](entry&) {}), error_none);
  for (entry& e : list) e.func = &list;
  EXPECT_EQ(check(), error_invalid_resource_handle) << "no kernel";
  for (entry& e : list) e.func = nullptr;
  EXPECT_EQ(check(), error_invalid_device_function);
}

TEST_F(MultiDeviceRules, WhatDevicesCannotDo) {
  m.not_cooperative = {2};
  EXPECT_EQ(check(), error_not_supported);
  EXPECT_EQ(check(2), error_none) << "the third device is not asked";
  m.not_cooperative = {};
  m.unreachable = {{3, 1}};
  EXPECT_EQ(check(), error_peer_access_unsupported);
  EXPECT_EQ(check(3), error_none);
  m.unreachable = {};
  m.capturing = {11};
  EXPECT_EQ(check(), error_stream_capture_unsupported);
}

TEST_F(MultiDeviceRules, TheDeviceWhereTheFewestFitDecides) {
  m.fitting = {20, 20, 20, 20};
  EXPECT_EQ(check(), error_none);
  m.fitting = {20, 20, 19, 20};
  EXPECT_EQ(check(), error_cooperative_launch_too_large);
  EXPECT_EQ(check(2), error_none);
  for (entry& e : list) e.gridDim = cohort::dim3(1u << 31, 65535, 65535);
  EXPECT_EQ(check(2), error_cooperative_launch_too_large) << "a product of more than 32 bits";
}

// A launch waits for all grids of every launch with which it shares a device.
TEST(MultiDeviceOrder, WholeLaunchesOneAfterAnother) {
  const auto set = [](std::vector<int> devices) {
    return launch_order::set_of(devices.data(), static_cast<unsigned int>(devices.size()));
  };
  launch_order order;
  const auto add = [&](std::vector<int> devices) {
    order.add(devices.data(), static_cast<unsigned int>(devices.size()), 8);
  };
  EXPECT_EQ(order.before(set({0, 1, 2, 3})), 0u);
  add({0, 1});
  EXPECT_EQ(order.before(set({2, 3})), 0u);
  EXPECT_EQ(order.before(set({1})), set({0, 1}));
  add({2, 3});
  EXPECT_EQ(order.before(set({2, 1})), set({0, 1, 2, 3}));
  add({1, 2});
  EXPECT_EQ(order.before(set({0})), set({0, 1}));
  EXPECT_EQ(order.before(set({3, 1})), set({1, 2, 3}));
  order.forget(3);
  EXPECT_EQ(order.before(set({3})), 0u);
  add({63});
  EXPECT_EQ(order.before(set({63, 0})), set({63, 0, 1}));
}

// A launch continues the latest launch on all its devices if both have the same devices in the same order and the same
// number of blocks, and the earlier one ended without an error.
TEST(MultiDeviceOrder, EqualLaunchesContinue) {
  launch_order order;
  using list = std::vector<int>;
  const auto size = [](const list& devices) { return static_cast<unsigned int>(devices.size()); };
  const auto add = [&](const list& devices, uint64_t blocks) { order.add(devices.data(), size(devices), blocks); };
  const auto continues = [&](const list& devices, uint64_t blocks) {
    return order.continues(devices.data(), size(devices), blocks);
  };
  EXPECT_FALSE(continues({0, 1}, 8)) << "the first launch";
  add({0, 1}, 8);
  EXPECT_TRUE(continues({0, 1}, 8));
  EXPECT_FALSE(continues({1, 0}, 8)) << "other ranks";
  EXPECT_FALSE(continues({0, 1}, 9)) << "other blocks";
  EXPECT_FALSE(continues({0}, 8)) << "a part of the devices";
  EXPECT_FALSE(continues({0, 1, 2}, 8)) << "a further device";
  add({2, 3}, 8);
  EXPECT_TRUE(continues({0, 1}, 8)) << "a launch on other devices lies between";
  EXPECT_FALSE(continues({0, 1, 2, 3}, 8)) << "two launches";
  add({1, 2}, 8);
  EXPECT_FALSE(continues({0, 1}, 8)) << "device 1 was in another launch";
  EXPECT_FALSE(continues({2, 3}, 8));
  EXPECT_TRUE(continues({1, 2}, 8));
  const int failed = 2;
  order.break_off(&failed, 1);
  EXPECT_FALSE(continues({1, 2}, 8)) << "a grid was ended";
  EXPECT_EQ(order.before(uint64_t{1} << 2), uint64_t{6}) << "and still has to end";
  add({1, 2}, 8);
  EXPECT_TRUE(continues({1, 2}, 8));
  order.forget(1);
  EXPECT_FALSE(continues({1, 2}, 8)) << "a device was reset";

  add({0, 1}, 8);
  uint64_t in_sequence = 1;
  for (; continues({0, 1}, 8) && in_sequence <= launch_order::most_in_sequence; ++in_sequence) add({0, 1}, 8);
  EXPECT_LE(in_sequence, launch_order::most_in_sequence) << "the numbers of exchanges would repeat";
  add({0, 1}, 8);
  EXPECT_TRUE(continues({0, 1}, 8));
}

}  // namespace
