// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches over several devices under load: thousands of barriers, several host threads that launch on shared devices,
// launches that fail. On a machine with one device, a launch has one grid.
#include <atomic>
#include <cohort/launch.hpp>
#include <thread>

#include "conformance.hpp"
#include "machine.hpp"

#ifdef cudaCooperativeLaunchMultiDeviceNoPreSync

namespace {

using namespace conformance;

// One stream on each of some devices, and launches of a kernel in all of them. The kernel's first parameter is the
// grid's position in the list.
class grids {
 public:
  explicit grids(std::vector<int> devices) : devices_(std::move(devices)), streams_(devices_.size()) {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      EXPECT_EQ(cudaSetDevice(devices_[i]), cudaSuccess);
      EXPECT_EQ(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking), cudaSuccess);
      places_.push_back(static_cast<int>(i));
    }
  }
  grids(const grids&) = delete;
  ~grids() {
    for (cudaStream_t stream : streams_) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    cudaSetDevice(0);
    cudaGetLastError();
  }
  template <class... P, class... A>
  std::vector<cudaLaunchParams> list(extent grid, extent block, void (*kernel)(int, P...), A*... arguments) {
    std::vector<cudaLaunchParams> all;
    pointers_.assign(devices_.size(), {});
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      pointers_[i] = {&places_[i], static_cast<void*>(arguments)...};
      all.push_back({reinterpret_cast<void*>(kernel), shape(grid), shape(block), pointers_[i].data(), 0, streams_[i]});
    }
    return all;
  }
  template <class... P, class... A>
  cudaError_t launch(extent grid, extent block, void (*kernel)(int, P...), A*... arguments) {
    auto all = list(grid, block, kernel, arguments...);
    return cudaLaunchCooperativeKernelMultiDevice(all.data(), static_cast<unsigned int>(all.size()), 0);
  }
  cudaError_t wait() const {
    cudaError_t result = cudaSuccess;
    for (cudaStream_t stream : streams_) {
      const cudaError_t one = cudaStreamSynchronize(stream);
      if (result == cudaSuccess) result = one;
    }
    return result;
  }
  cudaStream_t stream(std::size_t i) const { return streams_[i]; }
  std::size_t size() const { return devices_.size(); }

 private:
  std::vector<int> devices_;
  std::vector<cudaStream_t> streams_;
  std::vector<int> places_;
  std::vector<std::vector<void*>> pointers_;
};

std::vector<int> all_devices() {
  std::vector<int> all;
  for (int d = 0; d < device_count(); ++d) all.push_back(d);
  return all;
}

// Host memory that all devices can access. Most links do not support atomic operations of several devices on it.
template <class T>
class host_memory {
 public:
  explicit host_memory(std::size_t count) {
    EXPECT_EQ(cudaHostAlloc(reinterpret_cast<void**>(&data_), count * sizeof(T), cudaHostAllocPortable), cudaSuccess);
    std::memset(static_cast<void*>(data_), 0, count * sizeof(T));
  }
  host_memory(const host_memory&) = delete;
  ~host_memory() { cudaFreeHost(data_); }
  T* data() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

// Memory of one device with peer access from the others.
template <class T>
class device_memory {
 public:
  device_memory(const std::vector<int>& devices, int owner, std::size_t count) : count_(count) {
    for (int device : devices) {
      EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
      if (device != owner) cudaDeviceEnablePeerAccess(owner, 0);  // an error where access is enabled already
    }
    cudaGetLastError();
    EXPECT_EQ(cudaSetDevice(owner), cudaSuccess);
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemset(data_, 0, count * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  device_memory(const device_memory&) = delete;
  ~device_memory() { cudaFree(data_); }
  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> all(count_);
    EXPECT_EQ(cudaMemcpy(all.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return all;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// The first thread of each block stores a number and, after the barrier, checks the numbers of two other blocks, one of
// them in the next grid. Two sets of numbers alternate, which makes one barrier a round enough.
__global__ void pass_numbers(int, volatile unsigned int* numbers, unsigned int rounds, unsigned int* wrong,
                             int in_halves) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  const unsigned int blocks = gridDim.x, n = blocks * all.num_grids(), me = all.grid_rank() * blocks + blockIdx.x;
  unsigned int bad = 0;
  for (unsigned int round = 0; round < rounds; ++round) {
    volatile unsigned int* const set = numbers + (round % 2) * n;
    if (threadIdx.x == 0) set[me] = round * 7919u + me;
    if (in_halves != 0 && round % 3 != 0) {
      auto token = all.barrier_arrive();
      all.barrier_wait(static_cast<decltype(token)&&>(token));
    } else {
      all.sync();
    }
    if (threadIdx.x == blockDim.x - 1) {
      const unsigned int next = (me + blocks) % n, other = (me + round * 31u + 1u) % n;
      bad += set[next] != round * 7919u + next;
      bad += set[other] != round * 7919u + other;
    }
  }
  if (bad != 0) atomicAdd_system(wrong, bad);
}

void test_numbers(std::vector<int> devices, extent grid, extent block, unsigned int rounds, int in_halves) {
  SCOPED_TRACE(testing::Message() << devices.size() << " grids of " << text(grid) << " blocks of " << text(block));
  grids g(devices);
  device_memory<unsigned int> numbers(devices, devices.back(), 2 * devices.size() * grid.count());
  device_memory<unsigned int> wrong(devices, devices.back(), 1);
  unsigned int *to_numbers = numbers.data(), *to_wrong = wrong.data();
  ASSERT_EQ(g.launch(grid, block, pass_numbers, &to_numbers, &rounds, &to_wrong, &in_halves), cudaSuccess);
  ASSERT_EQ(g.wait(), cudaSuccess);
  EXPECT_EQ(wrong.read()[0], 0u);
}

TEST(MultiDevice, ThousandsOfBarriers) {
  const unsigned int rounds = on_engine() ? 100 : 3000;
  for (int halves : {0, 1}) {
    test_numbers(all_devices(), {on_engine() ? 4u : 132u}, {32}, rounds, halves);
    test_numbers(all_devices(), {1}, {1}, rounds, halves);
    test_numbers(all_devices(), {7}, {33}, rounds, halves);
    test_numbers({0}, {5}, {64}, rounds, halves);
  }
  if (!on_engine()) test_numbers(all_devices(), {528}, {256}, rounds, 0);
}

// More barriers than the barrier's counter can count before it wraps.
TEST(MultiDevice, ABarrierThatCountsPastItsEnd) {
  if (!on_engine()) test_numbers(all_devices(), {2}, {32}, 140000, 0);
}

// Checks that launches do not overlap: between the barriers the number of running launches is one.
__global__ void be_alone(int place, int* under_way, int* wrong, unsigned int* grids_run) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  const bool first = all.thread_rank() == 0;
  if (first && atomicAdd_system(under_way, 1) != 0) atomicAdd_system(wrong, 1);
  all.sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    atomicAdd_system(grids_run, 1u);
    if (static_cast<int>(all.grid_rank()) != place) atomicAdd_system(wrong, 1000);
  }
  all.sync();
  if (first) atomicAdd_system(under_way, -1);
}

TEST(MultiDevice, LaunchesThatShareDevicesRunOneAfterAnother) {
  device_memory<int> counts(all_devices(), 0, 2);
  device_memory<unsigned int> grids_run(all_devices(), 0, 1);
  const int last = device_count() - 1, launches = on_engine() ? 10 : 150;
  // Four host threads launch on lists of devices in opposite orders. All lists contain device 0.
  std::vector<int> forward = all_devices(), backward(forward.rbegin(), forward.rend()), ends = {last, 0}, one = {0};
  if (last == 0) ends = one;
  std::vector<std::thread> threads;
  std::atomic<int> failed{0};
  std::atomic<unsigned int> expected{0};
  for (const auto& devices : {forward, backward, ends, one}) {
    threads.emplace_back([&, devices] {
      grids g(devices);
      int *under_way = counts.data(), *wrong = under_way + 1;
      unsigned int* run = grids_run.data();
      for (int i = 0; i < launches; ++i) {
        const unsigned int blocks = static_cast<unsigned int>(i % 3 + 1);
        failed += g.launch({blocks}, {64}, be_alone, &under_way, &wrong, &run) != cudaSuccess;
        if (i % 10 == 9) failed += g.wait() != cudaSuccess;
      }
      failed += g.wait() != cudaSuccess;
      expected += static_cast<unsigned int>(devices.size()) * static_cast<unsigned int>(launches);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(counts.read(), (std::vector<int>{0, 0}));
  EXPECT_EQ(grids_run.read()[0], expected);
}

__global__ void count_grids(int, unsigned int* runs) {
  cg::this_multi_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd_system(runs, 1u);
}

// Runs on machines with one device too.
TEST(MultiDevice, WrongListsStartNothing) {
  grids g(all_devices());
  device_memory<unsigned int> runs(all_devices(), 0, 1);
  unsigned int* to_runs = runs.data();
  const auto list = g.list({2}, {32}, count_grids, &to_runs);
  const auto count = static_cast<unsigned int>(list.size());
  const auto launch = [&](auto change, unsigned int entries, unsigned int flags = 0) {
    auto changed = list;
    changed.push_back(list.front());
    for (auto& each : changed) change(each);
    const cudaError_t error = cudaLaunchCooperativeKernelMultiDevice(changed.data(), entries, flags);
    EXPECT_EQ(cudaGetLastError(), error);
    return error;
  };
  const auto as_it_is = [](cudaLaunchParams&) {};
  EXPECT_EQ(launch(as_it_is, 0), cudaErrorInvalidValue);
  EXPECT_EQ(launch(as_it_is, count + 1), cudaErrorInvalidValue) << "more entries than devices";
  EXPECT_EQ(launch(as_it_is, count, 4), cudaErrorInvalidValue) << "flags";
  EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(nullptr, 1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(launch([](auto& p) { p.func = nullptr; }, count), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch([&](auto& p) { p.func = &g; }, count), cudaErrorInvalidResourceHandle);
  for (cudaStream_t stream : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
    EXPECT_EQ(launch([stream](auto& p) { p.stream = stream; }, count), cudaErrorInvalidResourceHandle);
  }
  if (count > 1) {
    const auto twice = [&](auto& p) { p.stream = list.front().stream; };
    EXPECT_EQ(launch(twice, count), cudaErrorInvalidDevice) << "a device twice";
  }
  EXPECT_EQ(launch([](auto& p) { p.gridDim = dim3(1, 65536); }, count), cudaErrorInvalidValue);
  EXPECT_EQ(launch([](auto& p) { p.gridDim = dim3(0); }, count), cudaErrorInvalidValue);
  EXPECT_EQ(launch([](auto& p) { p.blockDim = dim3(1025); }, count), cudaErrorInvalidValue);
  EXPECT_EQ(launch([](auto& p) { p.blockDim = dim3(1, 0); }, count), cudaErrorInvalidValue);
  EXPECT_EQ(launch([](auto& p) { p.gridDim = dim3(1000000); }, count), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(launch([](auto& p) { p.sharedMem = 64 << 10; }, count), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(g.wait(), cudaSuccess);
  EXPECT_EQ(runs.read()[0], 0u);
  for (unsigned int flags = 0; flags < 4; ++flags) EXPECT_EQ(launch(as_it_is, count, flags), cudaSuccess);
  EXPECT_EQ(g.wait(), cudaSuccess);
  EXPECT_EQ(runs.read()[0], 4 * count);
}

#if COHORT_ON_GPU
// With NoPreSync a grid starts while earlier work still blocks the other grids. The engine waits for all streams, which
// CUDA allows.
__global__ void wait_for_word(volatile int* word) {
  while (*word == 0) {
  }
}
__global__ void say_that_it_runs(int place, volatile int* running) {
  if (threadIdx.x == 0 && blockIdx.x == 0) running[place] = 1;
  cg::this_multi_grid().sync();
}

TEST(MultiDevice, WithoutPreSyncAGridWaitsForItsOwnStreamOnly) {
  if (device_count() < 2) GTEST_SKIP() << "needs two devices";
  grids g(all_devices());
  host_memory<int> word(1), running(g.size());
  int* to_running = running.data();
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  wait_for_word<<<1, 1, 0, g.stream(1)>>>(word.data());
  auto list = g.list({2}, {32}, say_that_it_runs, &to_running);
  ASSERT_EQ(cudaLaunchCooperativeKernelMultiDevice(list.data(), static_cast<unsigned int>(list.size()),
                                                   cudaCooperativeLaunchMultiDeviceNoPreSync),
            cudaSuccess);
  for (int polls = 0; polls < 5000 && static_cast<volatile int&>(running[0]) == 0; ++polls) usleep(1000);
  EXPECT_EQ(running[0], 1);
  EXPECT_EQ(running[1], 0);
  static_cast<volatile int&>(word[0]) = 1;
  EXPECT_EQ(g.wait(), cudaSuccess);
  EXPECT_EQ(running[1], 1);
}

// Promises of cohort::launch_multi_device beyond CUDA's.
__global__ void look_beside(int, volatile int* stop, int* seen) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  if (threadIdx.x == 0 && blockIdx.x == 0) *seen = all.is_valid() ? static_cast<int>(all.num_grids()) : -1;
  if (stop != nullptr) {
    while (*stop == 0) {
    }
  }
}

TEST(MultiDevice, KernelsBesideALaunchAreNotInIt) {
  grids g({0});
  cudaStream_t other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  host_memory<int> words(4);
  volatile int *stop = &words[0], *none = nullptr;
  int *seen = &words[1], *seen_beside = &words[2], *seen_after = &words[3], place = 0;
  for (int cooperative : {0, 1}) {
    words[0] = words[1] = words[2] = words[3] = 0;
    ASSERT_EQ(g.launch({2}, {32}, look_beside, &stop, &seen), cudaSuccess);
    for (int polls = 0; polls < 5000 && static_cast<volatile int&>(words[1]) == 0; ++polls) usleep(1000);
    void* beside[] = {&place, &none, &seen_beside};
    void* after[] = {&place, &none, &seen_after};
    const auto* kernel = reinterpret_cast<const void*>(look_beside);
    EXPECT_EQ(cooperative != 0 ? cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(32), beside, 0, other)
                               : cudaLaunchKernel(kernel, dim3(2), dim3(32), beside, 0, other),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
    EXPECT_EQ(words[2], -1) << "beside it";
    words[0] = 1;
    EXPECT_EQ(cudaLaunchKernel(kernel, dim3(2), dim3(32), after, 0, g.stream(0)), cudaSuccess);
    EXPECT_EQ(g.wait(), cudaSuccess);
    EXPECT_EQ(words[1], 1) << "in it";
    EXPECT_EQ(words[3], -1) << "behind it";
  }
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

// The launch of the last grid fails: the other grids end without an error of their own, and nothing hangs.
__global__ void meet_often(int, unsigned int* rounds_done) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  for (int round = 0; round < 10; ++round) {
    all.sync();
    if (all.thread_rank() == 0) *rounds_done += 1;
  }
}

TEST(MultiDevice, AGridThatCannotBeLaunchedEndsTheOthers) {
  if (device_count() < 2) GTEST_SKIP() << "needs two devices";
  grids g(all_devices());
  host_memory<unsigned int> rounds(1);
  unsigned int* to_rounds = rounds.data();
  const auto list = g.list({3}, {96}, meet_often, &to_rounds);
  const auto count = static_cast<unsigned int>(list.size());
  using launcher = cohort::detail::multi_gpu_launcher<void>;
  for (unsigned int launched = 0; launched < count; ++launched) {
    std::vector<cohort::detail::device_grid> of_list(count);
    for (unsigned int i = 0; i < count; ++i) {
      of_list[i].device = static_cast<int>(i);
      of_list[i].stream = list[i].stream;
    }
    std::uint32_t number = 0;
    const auto fail_late = [&](unsigned int i) {
      return i == launched
                 ? cudaErrorLaunchOutOfResources
                 : cudaLaunchCooperativeKernel(list[i].func, dim3(3), dim3(96), list[i].args, 0, list[i].stream);
    };
    EXPECT_EQ(launcher::instance().launch(list[0].func, 3, of_list.data(), count, 0, fail_late, &number),
              cudaErrorLaunchOutOfResources);
    EXPECT_EQ(g.wait(), cudaSuccess);
    EXPECT_EQ(rounds[0], 0u);
  }
  EXPECT_EQ(g.launch({3}, {96}, meet_often, &to_rounds), cudaSuccess);
  EXPECT_EQ(g.wait(), cudaSuccess);
  EXPECT_EQ(rounds[0], 10u);
}

// One grid fails while the others wait for it: the wait for the launch returns the error, and the other grids end.
__global__ void die_on_the_last(int) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  all.sync();
  if (all.grid_rank() + 1 == all.num_grids() && all.thread_rank() + 1 == all.num_threads()) __trap();
  for (int round = 0; round < 10; ++round) all.sync();
}

TEST(MultiDevice, AGridThatFailsEndsTheOthers) {
  IN_A_PROCESS_OF_ITS_OWN();
  if (device_count() < 2) GTEST_SKIP() << "needs two devices";
  EXPECT_NE(cohort::launch_multi_device(0, {dim3(4), dim3(64)}, die_on_the_last, 0).number(), 0);
}
#endif

}  // namespace

#endif
