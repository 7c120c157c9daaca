// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several devices in one process: state that belongs to one device, and calls that involve two.
#include "../devices.hpp"

#include <atomic>
#include <thread>

namespace {

using test::device_scope;

void store_device(void** arguments) {
  test::argument<int*>(arguments, 0)[test::global_index()] = static_cast<int>(cohort_device_index());
}
// Polls *flag until it is `wanted`, then writes `value`.
void wait_and_store(void** arguments) {
  auto* flag = test::argument<std::atomic<int>*>(arguments, 0);
  while (flag->load() != test::argument<int>(arguments, 1)) cohort_wait_yield();
  test::argument<std::atomic<int>*>(arguments, 2)->store(test::argument<int>(arguments, 3));
}
void copy_word(void** arguments) { *test::argument<int*>(arguments, 0) = *test::argument<int*>(arguments, 1); }
void fail_on_device(void**) { cohort_fail(cudaErrorLaunchFailure, "the test wants it so"); }
void return_at_once(void**) {}

const test::kernel store_device_kernel("store_device", store_device, {8});
const test::kernel wait_kernel("wait_and_store", wait_and_store, {8, 4, 8, 4});
const test::kernel copy_kernel("copy_word", copy_word, {8, 8});
const test::kernel fail_on_device_kernel("crash_here", fail_on_device, {});
const test::kernel idle_kernel("empty_here", return_at_once, {});

using Devices = test::devices;

TEST_F(Devices, EachThreadHasItsOwnCurrentDevice) {
  int count = 0, device = -1;
  ASSERT_EQ(cudaSuccess, cudaGetDeviceCount(&count));
  ASSERT_EQ(3, count);
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(3));
  EXPECT_EQ(cudaSuccess, cudaSetDevice(2));
  std::thread([] {
    int other = -1;
    EXPECT_EQ(cudaSuccess, cudaGetDevice(&other));
    EXPECT_EQ(0, other);
    EXPECT_EQ(cudaSuccess, cudaSetDevice(1));
  }).join();
  EXPECT_EQ(cudaSuccess, cudaGetDevice(&device));
  EXPECT_EQ(2, device);
  cudaDeviceProp first, last;
  ASSERT_EQ(cudaSuccess, cudaGetDeviceProperties(&first, 0));
  ASSERT_EQ(cudaSuccess, cudaGetDeviceProperties(&last, 2));
  EXPECT_NE(first.pciDeviceID, last.pciDeviceID);
  EXPECT_NE(0, std::memcmp(&first.uuid, &last.uuid, sizeof first.uuid));
  EXPECT_EQ(1, last.clusterLaunch);
  EXPECT_EQ(1, last.cooperativeMultiDeviceLaunch);
}

TEST_F(Devices, KernelsRunWhereTheyWereLaunched) {
  for (int d = 0; d < 3; ++d) {
    device_scope on(d);
    int* out = managed<int>(64);
    cudaStream_t s = stream();
    EXPECT_EQ(cudaSuccess, test::launch(store_device_kernel, 2, 16, 0, nullptr, out));
    EXPECT_EQ(cudaSuccess, test::launch(store_device_kernel, 1, 16, 0, s, out + 32));
    EXPECT_EQ(cudaSuccess, test::launch(store_device_kernel, 1, 16, 0, cudaStreamPerThread, out + 48));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) EXPECT_EQ(d, out[i]) << i;
  }
}

TEST_F(Devices, KernelsOfTwoDevicesRunAtTheSameTime) {
  auto* flags = managed<int>(2);
  EXPECT_EQ(cudaSuccess, test::launch(wait_kernel, 1, 1, 0, nullptr, flags, 1, flags + 1, 2));
  {
    device_scope on(1);
    // Sets the flag of the first kernel, then waits for its answer.
    EXPECT_EQ(cudaSuccess, test::launch(wait_kernel, 1, 1, 0, nullptr, flags + 1, 0, flags, 1));
    EXPECT_EQ(cudaSuccess, test::launch(wait_kernel, 1, 1, 0, nullptr, flags + 1, 2, flags, 3));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(3, flags[0]);
}

TEST_F(Devices, LaunchesAndRecordsNeedAStreamOfTheirDevice) {
  cudaStream_t there = nullptr;
  cudaEvent_t here_event = nullptr, there_event = nullptr;
  {
    device_scope on(1);
    there = stream();
    ASSERT_EQ(cudaSuccess, cudaEventCreate(&there_event));
  }
  ASSERT_EQ(cudaSuccess, cudaEventCreate(&here_event));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, test::launch(idle_kernel, 1, 1, 0, there));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaLaunchCooperativeKernel(idle_kernel.stub(), 1, 1, nullptr, 0, there));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventRecord(here_event, there));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventRecord(there_event, nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaEventRecord(there_event, there));
  // Calls that CUDA permits whichever device is current.
  int device = -1;
  EXPECT_EQ(cudaSuccess, cudaStreamGetDevice(there, &device));
  EXPECT_EQ(1, device);
  EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(nullptr, there_event, 0));
  EXPECT_EQ(cudaSuccess, cudaEventSynchronize(there_event));
  EXPECT_EQ(cudaSuccess, cudaEventQuery(there_event));
  EXPECT_EQ(cudaSuccess, cudaStreamQuery(there));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(there));
  int from = 5, *to = managed<int>(1);
  EXPECT_EQ(cudaSuccess, cudaMemcpyAsync(to, &from, sizeof from, cudaMemcpyHostToDevice, there));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(there));
  EXPECT_EQ(5, *to);
  EXPECT_EQ(cudaSuccess, cudaEventRecord(here_event, nullptr));
  EXPECT_EQ(cudaSuccess, cudaEventSynchronize(here_event));
  float ms = 0;
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, here_event, there_event));
  EXPECT_EQ(cudaSuccess, cudaEventDestroy(there_event));
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(there));
}

TEST_F(Devices, EventsOrderStreamsOfTwoDevices) {
  int* words = managed<int>(3);
  cudaEvent_t done = nullptr;
  ASSERT_EQ(cudaSuccess, cudaEventCreate(&done));
  EXPECT_EQ(cudaSuccess, test::launch(wait_kernel, 1, 1, 0, nullptr, words, 1, words + 1, 7));
  EXPECT_EQ(cudaSuccess, cudaEventRecord(done, nullptr));
  device_scope on(2);
  EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(nullptr, done, 0));
  EXPECT_EQ(cudaSuccess, test::launch(copy_kernel, 1, 1, 0, nullptr, words + 2, words + 1));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  std::atomic_ref(words[0]).store(1);
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(7, words[2]);
}

TEST_F(Devices, MemoryIsCountedWhereItWasAllocated) {
  size_t free_before[3], free_after[3], total = 0;
  for (int d = 0; d < 3; ++d) {
    device_scope on(d);
    ASSERT_EQ(cudaSuccess, cudaMemGetInfo(&free_before[d], &total));
  }
  void* memory = nullptr;
  void* from_pool = nullptr;
  cudaStream_t there = nullptr;
  {
    device_scope on(1);
    there = stream();
    ASSERT_EQ(cudaSuccess, cudaMalloc(&memory, 10000));
  }
  // Memory allocated in stream order belongs to the stream's device.
  ASSERT_EQ(cudaSuccess, cudaMallocAsync(&from_pool, 5000, there));
  for (int d = 0; d < 3; ++d) {
    device_scope on(d);
    ASSERT_EQ(cudaSuccess, cudaMemGetInfo(&free_after[d], &total));
    EXPECT_EQ(free_before[d] - (d == 1 ? 15000 : 0), free_after[d]) << d;
  }
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaSuccess, cudaPointerGetAttributes(&attributes, static_cast<char*>(memory) + 9));
  EXPECT_EQ(cudaMemoryTypeDevice, attributes.type);
  EXPECT_EQ(1, attributes.device);
  cudaMemPool_t pools[3];
  for (int d = 0; d < 3; ++d) ASSERT_EQ(cudaSuccess, cudaDeviceGetDefaultMemPool(&pools[d], d));
  EXPECT_NE(pools[0], pools[1]);
  EXPECT_NE(pools[1], pools[2]);
  EXPECT_EQ(cudaSuccess, cudaFreeAsync(from_pool, there));
  EXPECT_EQ(cudaSuccess, cudaFree(memory)) << "from another device";
}

TEST_F(Devices, PoolsRecordTheAccessOfDevices) {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 1};
  ASSERT_EQ(cudaSuccess, cudaMemPoolCreate(&pool, &properties));
  const auto access_of = [&](int device) {
    cudaMemLocation place = {cudaMemLocationTypeDevice, device};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    EXPECT_EQ(cudaSuccess, cudaMemPoolGetAccess(&flags, pool, &place));
    return flags;
  };
  const auto set = [&](int device, cudaMemAccessFlags flags) {
    const cudaMemAccessDesc right = {{cudaMemLocationTypeDevice, device}, flags};
    return cudaMemPoolSetAccess(pool, &right, 1);
  };
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, access_of(1)) << "the pool's own device";
  EXPECT_EQ(cudaMemAccessFlagsProtNone, access_of(0));
  EXPECT_EQ(cudaSuccess, set(0, cudaMemAccessFlagsProtReadWrite));
  EXPECT_EQ(cudaSuccess, set(2, cudaMemAccessFlagsProtRead));
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, access_of(0));
  EXPECT_EQ(cudaMemAccessFlagsProtRead, access_of(2));
  EXPECT_EQ(cudaErrorInvalidValue, set(1, cudaMemAccessFlagsProtNone)) << "a device keeps its own pool";
  EXPECT_EQ(cudaErrorInvalidDevice, set(3, cudaMemAccessFlagsProtRead));
  EXPECT_EQ(cudaErrorInvalidValue, set(0, static_cast<cudaMemAccessFlags>(2)));
  const cudaMemAccessDesc two[] = {{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtNone},
                                   {{cudaMemLocationTypeHost, 0}, cudaMemAccessFlagsProtRead}};
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPoolSetAccess(pool, two, 2));
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, access_of(0)) << "a refused call changes nothing";
  EXPECT_EQ(cudaSuccess, cudaMemPoolSetAccess(pool, two, 1));
  EXPECT_EQ(cudaMemAccessFlagsProtNone, access_of(0));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPoolSetAccess(nullptr, two, 1));
  cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, pool, &host));
  EXPECT_EQ(cudaSuccess, cudaMemPoolDestroy(pool));
}

TEST_F(Devices, PeerAccessAnswersAsCudaDoes) {
  int can = -1;
  EXPECT_EQ(cudaSuccess, cudaDeviceCanAccessPeer(&can, 0, 2));
  EXPECT_EQ(1, can);
  EXPECT_EQ(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  EXPECT_EQ(705, cudaGetLastError());
  EXPECT_EQ(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(3, 0));
  EXPECT_EQ(cudaSuccess, cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(704, cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(cudaErrorPeerAccessAlreadyEnabled, cudaGetLastError());
  {
    device_scope on(1);  // enables access in one direction only
    EXPECT_EQ(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    EXPECT_EQ(cudaSuccess, cudaDeviceEnablePeerAccess(0, 0));
    EXPECT_EQ(cudaSuccess, cudaDeviceReset());
  }
  EXPECT_EQ(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1)) << "the reset of the peer ended it";
}

TEST_F(Devices, CopiesBetweenDevicesWaitForBoth) {
  int* words = managed<int>(2);
  int *source = nullptr, *target = nullptr, *after = nullptr;
  cudaStream_t there = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMalloc(&target, sizeof(int)));
  {
    device_scope on(1);
    there = stream();
    ASSERT_EQ(cudaSuccess, cudaMalloc(&source, sizeof(int)));
    ASSERT_EQ(cudaSuccess, cudaMalloc(&after, sizeof(int)));
  }
  for (int round = 0; round < 3; ++round) {
    words[0] = 0;
    {
      device_scope on(1);
      EXPECT_EQ(cudaSuccess, test::launch(wait_kernel, 1, 1, 0, there, words, 1, source, 40 + round));
    }
    device_scope on(round == 1 ? 2 : 0);  // a third device may request the copy
    EXPECT_EQ(cudaSuccess, round == 0   ? cudaMemcpy(target, source, sizeof(int), cudaMemcpyDeviceToDevice)
                           : round == 1 ? cudaMemcpyPeer(target, 0, source, 1, sizeof(int))
                                        : cudaMemcpyPeerAsync(target, 0, source, 1, sizeof(int), nullptr));
    {
      device_scope back(0);
      EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr)) << round;
    }
    {
      device_scope back(1);  // a later operation on the source's device follows the copy
      EXPECT_EQ(cudaSuccess, cudaMemsetAsync(source, 0, sizeof(int), there));
    }
    std::atomic_ref(words[0]).store(1);
    int got = 0;
    EXPECT_EQ(cudaSuccess, cudaMemcpy(&got, target, sizeof got, cudaMemcpyDefault));
    EXPECT_EQ(40 + round, got);
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(there));
    EXPECT_EQ(cudaSuccess, cudaMemcpy(&got, source, sizeof got, cudaMemcpyDefault));
    EXPECT_EQ(0, got);
  }
  EXPECT_EQ(cudaErrorInvalidDevice, cudaMemcpyPeer(target, 0, source, 3, sizeof(int)));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaMemcpyPeer(target, -1, source, 1, sizeof(int)));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemcpyPeer(target, 0, words + 100, 1, sizeof(int)));
}

TEST_F(Devices, AFailureKillsOnlyItsDevice) {
  void* memory = nullptr;
  cudaStream_t there = nullptr;
  {
    device_scope on(1);
    there = stream();
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaSuccess, test::launch(fail_on_device_kernel, 1, 1, 0, there));
    EXPECT_EQ(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find("the test wants it so"));
    EXPECT_EQ(cudaErrorLaunchFailure, cudaMalloc(&memory, 16));
    EXPECT_EQ(cudaErrorLaunchFailure, cudaPeekAtLastError());
  }
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaMalloc(&memory, 16));
  EXPECT_EQ(cudaSuccess, test::launch(idle_kernel, 1, 1, 0, nullptr));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(cudaErrorLaunchFailure, cudaStreamSynchronize(there)) << "its streams tell, from wherever they are asked";
  EXPECT_EQ(cudaErrorLaunchFailure, cudaMemcpyPeer(memory, 0, memory, 1, 16));
  EXPECT_EQ(cudaErrorLaunchFailure, cudaMemsetAsync(memory, 0, 16, there));
  device_scope on(1);
  EXPECT_EQ(cudaSuccess, cudaDeviceReset());
  EXPECT_EQ(cudaSuccess, test::launch(idle_kernel, 1, 1, 0, nullptr));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Devices, WhatIsSetBelongsToOneDevice) {
  const size_t stack = cohort_device_get(1)->stack_bytes;
  size_t value = 0;
  {
    device_scope on(1);
    EXPECT_EQ(cudaSuccess, cudaDeviceSetLimit(cudaLimitStackSize, 4 << 20));
    EXPECT_EQ(cudaSuccess,
              cudaFuncSetAttribute(idle_kernel.stub(), cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    EXPECT_EQ(cudaSuccess, test::launch(idle_kernel, 1, 1, 100 << 10, nullptr));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    ASSERT_EQ(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
    EXPECT_EQ(size_t{4} << 20, value);
  }
  ASSERT_EQ(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(stack, value);
  EXPECT_EQ(cudaErrorInvalidValue, test::launch(idle_kernel, 1, 1, 100 << 10, nullptr));
  int blocks = -1;
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, idle_kernel.stub(), 1, 100 << 10));
  EXPECT_EQ(0, blocks);
}

TEST_F(Devices, ResetFreesOnlyWhatIsTheDevices) {
  void *here = nullptr, *there = nullptr;
  cudaStream_t s = stream();
  ASSERT_EQ(cudaSuccess, cudaMalloc(&here, 16));
  {
    device_scope on(2);
    ASSERT_EQ(cudaSuccess, cudaMalloc(&there, 16));
    EXPECT_EQ(cudaSuccess, cudaDeviceReset());
  }
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(there));
  EXPECT_EQ(cudaSuccess, cudaFree(here));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(s));
}

// A module's section with the compiler's layout: a number, a pointer to it, and a managed number outside.
struct {
  alignas(64) int number = 5;
  int* pointer = &number;
} own;
int managed_number = 9;
char number_shadow, pointer_shadow, managed_shadow;

TEST_F(Devices, VariablesOfTheDeviceAreEachDevicesOwn) {
  static bool registered = false;
  if (!registered) {
    registered = true;
    auto& m = *new test::module("own-variables");
    m.add_variable("number", &own.number, sizeof(int), cohort_variable_own);
    m.add_variable("pointer", &own.pointer, sizeof(int*), cohort_variable_own);
    m.add_variable("managed", &managed_number, sizeof(int), cohort_variable_managed);
    m.set_section(reinterpret_cast<char*>(&own), reinterpret_cast<char*>(&own + 1),
                  {reinterpret_cast<char*>(&own.pointer)});
    m.register_device();
    m.register_host();
    m.register_shadow(&number_shadow, "number", sizeof(int));
    m.register_shadow(&pointer_shadow, "pointer", sizeof(int*));
    m.register_shadow(&managed_shadow, "managed", sizeof(int));
  }
  std::vector<void*> addresses;
  for (int d = 0; d < 3; ++d) {
    device_scope on(d);
    int value = 0;
    int* pointed = nullptr;
    void *address = nullptr, *managed_address = nullptr;
    EXPECT_EQ(cudaSuccess, cudaMemcpyFromSymbol(&value, number_shadow, sizeof value));
    EXPECT_EQ(5, value);
    EXPECT_EQ(cudaSuccess, cudaGetSymbolAddress(&address, number_shadow));
    EXPECT_EQ(cudaSuccess, cudaMemcpyFromSymbol(&pointed, pointer_shadow, sizeof pointed));
    EXPECT_EQ(address, pointed) << "an initialiser means the own device's variable";
    value = 100 + d;
    EXPECT_EQ(cudaSuccess, cudaMemcpyToSymbol(number_shadow, &value, sizeof value));
    for (void* other : addresses) EXPECT_NE(other, address);
    addresses.push_back(address);
    cudaPointerAttributes attributes;
    EXPECT_EQ(cudaSuccess, cudaPointerGetAttributes(&attributes, address));
    EXPECT_EQ(d, attributes.device);
    EXPECT_EQ(cudaMemoryTypeDevice, attributes.type);
    EXPECT_EQ(cudaSuccess, cudaGetSymbolAddress(&managed_address, managed_shadow));
    EXPECT_EQ(&managed_number, managed_address) << "one for all";
  }
  cudaStream_t there = nullptr;
  {
    device_scope on(2);
    there = stream();
  }
  int value = 0;
  EXPECT_EQ(cudaSuccess,
            cudaMemcpyFromSymbolAsync(&value, number_shadow, sizeof value, 0, cudaMemcpyDeviceToHost, there));
  EXPECT_EQ(102, value) << "the stream's device";
  EXPECT_EQ(cudaSuccess, cudaMemcpy(&value, addresses[1], sizeof value, cudaMemcpyDeviceToHost));
  EXPECT_EQ(101, value);
  for (int d = 0; d < 3; ++d) {
    device_scope on(d);
    EXPECT_EQ(cudaSuccess, cudaDeviceReset());
    int* pointed = nullptr;
    EXPECT_EQ(cudaSuccess, cudaMemcpyFromSymbol(&value, number_shadow, sizeof value));
    EXPECT_EQ(5, value) << "a reset loads the variables again";
    EXPECT_EQ(cudaSuccess, cudaMemcpyFromSymbol(&pointed, pointer_shadow, sizeof pointed));
    EXPECT_EQ(addresses[static_cast<size_t>(d)], pointed);
  }
}

}  // namespace
