// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchCooperativeKernelMultiDevice: refused lists, and the order of work.
#include <atomic>
#include <thread>

#include "../devices.hpp"

namespace {

using test::device_scope;

// Each grid adds its rank to a common sum and reads the sum after the multi-grid barrier.
void grids_meet(void** arguments) {
  auto* sum = test::argument<std::atomic<int>*>(arguments, 0);
  auto* seen = test::argument<int*>(arguments, 1);
  if (cohort_thread_index(0) == 0) sum->fetch_add(1 << (8 * cohort_multi_grid_rank()));
  cohort_wait_multi_grid();
  if (test::global_index() == 0) {
    seen[cohort_multi_grid_rank()] = sum->load() + static_cast<int>(cohort_multi_grid_count() << 24);
    seen[3 + cohort_multi_grid_rank()] = static_cast<int>(cohort_device_index());
  }
}
void wait_for_host_and_store(void** arguments) {
  auto* flag = test::argument<std::atomic<int>*>(arguments, 0);
  while (flag->load() == 0) cohort_wait_yield();
  *test::argument<int*>(arguments, 1) = 1;
}
// Fails unless the word shows that all earlier grids have ended.
void expect_word(void** arguments) {
  if (*test::argument<volatile int*>(arguments, 0) != test::argument<int>(arguments, 1)) {
    cohort_fail(cudaErrorLaunchFailure, "came too early");
  }
}
// Fails if another launch is between its two barriers at the same time.
void alone(void** arguments) {
  auto* inside = test::argument<std::atomic<int>*>(arguments, 0);
  const bool first = cohort_multi_grid_rank() == 0 && test::global_index() == 0;
  if (first && inside->fetch_add(1) != 0) cohort_fail(cudaErrorLaunchFailure, "two launches ran at the same time");
  cohort_wait_multi_grid();
  cohort_wait_multi_grid();
  if (first) inside->fetch_sub(1);
}
void crash_on_one(void**) {
  if (cohort_multi_grid_rank() == 1) cohort_fail(cudaErrorLaunchFailure, "the test wants it so");
  cohort_wait_multi_grid();
}
void leave_at_once(void**) {}

const test::kernel grids_meet_kernel("meet", grids_meet, {8, 8});
const test::kernel wait_for_host_kernel("wait_for_host", wait_for_host_and_store, {8, 8});
const test::kernel expect_kernel("expect_word", expect_word, {8, 4});
const test::kernel alone_kernel("alone", alone, {8});
const test::kernel crash_on_one_kernel("crash_on_one", crash_on_one, {});
const test::kernel empty_grid_kernel("empty_grid", leave_at_once, {});
const test::kernel other_grid_kernel("other_grid", leave_at_once, {});

class MultiDevice : public test::devices {
 protected:
  void SetUp() override {
    devices::SetUp();
    for (int d = 0; d < 3; ++d) {
      device_scope on(d);
      streams[d] = stream();
      grids[d] = {const_cast<void*>(empty_grid_kernel.stub()), dim3(2), dim3(32), nullptr, 0, streams[d]};
    }
  }
  cudaError_t launch(unsigned count = 3, unsigned flags = 0) {
    return cudaLaunchCooperativeKernelMultiDevice(grids, count, flags);
  }
  void use(const test::kernel& k, void** arguments) {
    for (auto& g : grids) {
      g.func = const_cast<void*>(k.stub());
      g.args = arguments;
    }
  }
  void synchronize_all() {
    for (cudaStream_t s : streams) EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(s));
  }
  cudaStream_t streams[3];
  cudaLaunchParams grids[3];
};

TEST_F(MultiDevice, AllGridsMeet) {
  int* words = managed<int>(7);
  int* seen = words + 1;
  void* arguments[] = {&words, &seen};
  use(grids_meet_kernel, arguments);
  for (unsigned flags = 0; flags < 4; ++flags) {
    for (unsigned count = 1; count <= 3; ++count) {
      std::memset(words, 0, 7 * sizeof(int));
      // Ranks follow the order of the list.
      std::swap(grids[0], grids[count - 1]);
      ASSERT_EQ(cudaSuccess, launch(count, flags));
      synchronize_all();
      int sum = static_cast<int>(count << 24);
      for (unsigned r = 0; r < count; ++r) sum += 2 << (8 * r);
      for (unsigned r = 0; r < 3; ++r) {
        int device = -1;
        ASSERT_EQ(cudaSuccess, cudaStreamGetDevice(grids[r].stream, &device));
        EXPECT_EQ(r < count ? sum : 0, seen[r]) << count << " " << flags;
        EXPECT_EQ(r < count ? device : 0, seen[3 + r]) << count << " " << flags;
      }
      std::swap(grids[0], grids[count - 1]);
    }
  }
}

TEST_F(MultiDevice, BadListsAreRefused) {
  EXPECT_EQ(cudaSuccess, launch());
  EXPECT_EQ(cudaErrorInvalidValue, launch(0));
  EXPECT_EQ(cudaErrorInvalidValue, launch(4));
  EXPECT_EQ(cudaErrorInvalidValue, launch(3, 4));
  EXPECT_EQ(cudaErrorInvalidValue, cudaLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetLastError());
  const auto with = [&](auto change) {
    const cudaLaunchParams kept = grids[1];
    change(grids[1]);
    const cudaError_t error = launch();
    grids[1] = kept;
    return error;
  };
  for (cudaStream_t special : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
    EXPECT_EQ(cudaErrorInvalidResourceHandle, with([&](auto& g) { g.stream = special; }));
  }
  EXPECT_EQ(cudaErrorInvalidResourceHandle, with([&](auto& g) { g.stream = reinterpret_cast<cudaStream_t>(&g); }));
  EXPECT_EQ(cudaErrorInvalidDevice, with([&](auto& g) { g.stream = streams[0]; })) << "the same device twice";
  EXPECT_EQ(cudaErrorInvalidValue, with([](auto& g) { g.gridDim.x = 3; }));
  EXPECT_EQ(cudaErrorInvalidValue, with([](auto& g) { g.blockDim.y = 2; }));
  EXPECT_EQ(cudaErrorInvalidValue, with([](auto& g) { g.sharedMem = 16; }));
  EXPECT_EQ(cudaErrorInvalidValue, with([](auto& g) { g.func = const_cast<void*>(other_grid_kernel.stub()); }));
  grids[0].func = nullptr;
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, launch());
  grids[0].func = this;
  EXPECT_EQ(cudaErrorInvalidResourceHandle, launch());
  // Refused: two streams of one device.
  grids[0].func = grids[1].func;
  const cudaStream_t second = stream();
  EXPECT_EQ(cudaErrorInvalidDevice, with([&](auto& g) { g.stream = second; }));
  EXPECT_EQ(cudaSuccess, launch());
  synchronize_all();
}

TEST_F(MultiDevice, TheSmallestDeviceDecides) {
  int per_sm = 0, sms = 0;
  ASSERT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, empty_grid_kernel.stub(), 32, 0));
  ASSERT_EQ(cudaSuccess, cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const auto most = static_cast<unsigned>(per_sm * sms);
  for (auto& g : grids) g.gridDim.x = most;
  EXPECT_EQ(cudaSuccess, launch());
  for (auto& g : grids) g.gridDim.x = most + 1;
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, launch());
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, cudaGetLastError());
  for (auto& g : grids) {
    g.gridDim.x = 1;
    g.sharedMem = 64 << 10;
  }
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, launch());
  const auto allow = [](int d) {
    device_scope on(d);
    return cudaFuncSetAttribute(empty_grid_kernel.stub(), cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
  };
  EXPECT_EQ(cudaSuccess, allow(0));
  EXPECT_EQ(cudaSuccess, allow(1));
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, launch()) << "device 2 does not allow it";
  EXPECT_EQ(cudaSuccess, launch(2));
  EXPECT_EQ(cudaSuccess, allow(2));
  EXPECT_EQ(cudaSuccess, launch());
  for (auto& g : grids) g.blockDim.x = 1025;
  EXPECT_EQ(cudaErrorInvalidValue, launch());
  synchronize_all();
}

TEST_F(MultiDevice, WaitsForAllStreamsAndAllWaitForIt) {
  int* words = managed<int>(16);
  int* done = words + 8;
  int* seen = words + 1;
  int ready = 1;
  for (int blocked = 0; blocked < 3; ++blocked) {
    std::memset(words, 0, 16 * sizeof(int));
    {
      device_scope on(blocked);  // prior work in only one of the streams
      ASSERT_EQ(cudaSuccess, test::launch(wait_for_host_kernel, 1, 1, 0, streams[blocked], words, done));
    }
    void* arguments[] = {&done, &ready};
    use(expect_kernel, arguments);
    ASSERT_EQ(cudaSuccess, launch());
    // Later work in each of the streams runs after the grids.
    for (int d = 0; d < 3; ++d) {
      ASSERT_EQ(cudaSuccess, cudaMemcpyAsync(seen + d, done, sizeof(int), cudaMemcpyDefault, streams[d]));
      EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(streams[d]));
    }
    std::atomic_ref(words[0]).store(1);
    synchronize_all();
    for (int d = 0; d < 3; ++d) EXPECT_EQ(1, seen[d]) << d;
  }
}

TEST_F(MultiDevice, LaunchesThatShareDevicesNeverInterleave) {
  int* words = managed<int>(1);
  void* arguments[] = {&words};
  use(alone_kernel, arguments);
  std::atomic<int> refused{0};
  // Four host threads with streams of their own launch in opposite orders of the devices and on overlapping sets.
  const auto run = [&](std::vector<int> order) {
    std::vector<cudaLaunchParams> mine;
    for (int d : order) {
      device_scope on(d);
      mine.push_back(grids[0]);
      mine.back().stream = stream();
    }
    for (int i = 0; i < 20; ++i) {
      refused +=
          cudaLaunchCooperativeKernelMultiDevice(mine.data(), static_cast<unsigned>(mine.size()), 0) != cudaSuccess;
    }
    for (auto& g : mine) refused += cudaStreamSynchronize(g.stream) != cudaSuccess;
  };
  std::vector<std::thread> threads;
  for (const auto& order : {std::vector{0, 1, 2}, std::vector{2, 1, 0}, std::vector{1, 0}, std::vector{0, 2}}) {
    threads.emplace_back(run, order);
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(0, refused.load());
  EXPECT_EQ(0, words[0]);
}

TEST_F(MultiDevice, AFailureEndsAllGrids) {
  use(crash_on_one_kernel, nullptr);
  testing::internal::CaptureStderr();
  ASSERT_EQ(cudaSuccess, launch());
  for (cudaStream_t s : streams) EXPECT_EQ(cudaErrorLaunchFailure, cudaStreamSynchronize(s));
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find("the test wants it so"));
  EXPECT_EQ(cudaErrorLaunchFailure, launch());
}

}  // namespace
