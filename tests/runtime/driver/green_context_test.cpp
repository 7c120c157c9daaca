// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: green contexts, their resources, streams and events, and the workers that their kernels use.
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "driver.hpp"

namespace {

using GreenContext = test::driver;

const bool has_four_workers = setenv("COHORT_WORKERS", "4", 1) == 0 && setenv("COHORT_SMS", "4", 1) == 0;

std::mutex threads_lock;
std::set<pid_t> threads;  // the OS threads that have run a block

// Each block takes long enough for all workers to run some.
void remember_thread(void**) {
  {
    const std::lock_guard lock(threads_lock);
    threads.insert(gettid());
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}
void increment(void** arguments) { ++*test::argument<int*>(arguments, 0); }

const test::kernel thread_kernel("green_threads", remember_thread, {});
const test::kernel increment_kernel("green_increment", increment, {8});

CUdevResource all_multiprocessors() {
  CUdevResource all{};
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
  return all;
}

// A context with one part of the multiprocessors, at least `least` of them.
CUgreenCtx make_part(unsigned least) {
  const CUdevResource all = all_multiprocessors();
  CUdevResource part{};
  unsigned count = 1;
  CUdevResourceDesc described = nullptr;
  CUgreenCtx made = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuDevSmResourceSplitByCount(&part, &count, &all, nullptr, 0, least));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(CUDA_SUCCESS, cuDevResourceGenerateDesc(&described, &part, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxCreate(&made, described, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  return made;
}

CUstream make_stream(CUgreenCtx part) {
  CUstream made = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxStreamCreate(&made, part, CU_STREAM_NON_BLOCKING, 0));
  return made;
}

size_t threads_of_a_launch(CUfunction f, CUstream stream) {
  threads.clear();
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchKernel(f, 24, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  return threads.size();
}

TEST_F(GreenContext, ResourcesAreSplitIntoEqualParts) {
  const CUdevResource all = all_multiprocessors();
  int multiprocessors = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT_EQ(static_cast<unsigned>(multiprocessors), all.sm.smCount);
  ASSERT_TRUE(has_four_workers);
  ASSERT_EQ(4u, all.sm.smCount);
  EXPECT_EQ(1u, all.sm.minSmPartitionSize);

  unsigned count = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuDevSmResourceSplitByCount(nullptr, &count, &all, nullptr, 0, 1));
  EXPECT_EQ(4u, count);
  std::array<CUdevResource, 4> parts{};
  CUdevResource rest{};
  count = 4;
  EXPECT_EQ(CUDA_SUCCESS, cuDevSmResourceSplitByCount(parts.data(), &count, &all, &rest, 0, 3));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(3u, parts[0].sm.smCount);
  EXPECT_EQ(1u, rest.sm.smCount);
  count = 2;
  EXPECT_EQ(CUDA_SUCCESS, cuDevSmResourceSplitByCount(parts.data(), &count, &all, &rest, 0, 2));
  EXPECT_EQ(2u, count);
  EXPECT_EQ(CU_DEV_RESOURCE_TYPE_INVALID, rest.type);
  EXPECT_EQ(0u, rest.sm.smCount);
}

TEST_F(GreenContext, WrongResourcesAreRefused) {
  const CUdevResource all = all_multiprocessors();
  CUdevResource part{}, other{}, none{};
  CUdevResourceDesc described = nullptr;
  unsigned count = 1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDevSmResourceSplitByCount(&part, nullptr, &all, nullptr, 0, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDevSmResourceSplitByCount(&part, &count, &all, nullptr, 4, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDevSmResourceSplitByCount(&part, &count, &all, nullptr, 0, 5));
  EXPECT_EQ(CUDA_ERROR_INVALID_RESOURCE_TYPE, cuDevSmResourceSplitByCount(&part, &count, &none, nullptr, 0, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_RESOURCE_TYPE, cuDeviceGetDevResource(0, &part, CU_DEV_RESOURCE_TYPE_INVALID));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetDevResource(77, &part, CU_DEV_RESOURCE_TYPE_SM));
  ASSERT_EQ(CUDA_SUCCESS, cuDevSmResourceSplitByCount(&part, &count, &all, nullptr, 0, 2));
  // A part can be split again only after a context was made of it.
  EXPECT_EQ(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
            cuDevSmResourceSplitByCount(&other, &count, &part, nullptr, 0, 1));
  ASSERT_EQ(CUDA_SUCCESS, cuDevSmResourceSplitByCount(&other, &count, &all, nullptr, 0, 2));
  CUdevResource of_two_splits[] = {part, other}, twice[] = {part, part};
  EXPECT_EQ(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, cuDevResourceGenerateDesc(&described, of_two_splits, 2));
  EXPECT_EQ(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, cuDevResourceGenerateDesc(&described, twice, 2));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDevResourceGenerateDesc(&described, &part, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_RESOURCE_TYPE, cuDevResourceGenerateDesc(&described, &none, 1));
  ASSERT_EQ(CUDA_SUCCESS, cuDevResourceGenerateDesc(&described, &part, 1));
  CUgreenCtx made = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGreenCtxCreate(&made, described, 0, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGreenCtxCreate(&made, described, 1, CU_GREEN_CTX_DEFAULT_STREAM));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGreenCtxCreate(&made, nullptr, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuGreenCtxDestroy(nullptr));
}

TEST_F(GreenContext, SplitsAgainAndJoinsParts) {
  const CUgreenCtx three = make_part(3);
  CUdevResource has{}, pieces[3];
  ASSERT_EQ(CUDA_SUCCESS, cuGreenCtxGetDevResource(three, &has, CU_DEV_RESOURCE_TYPE_SM));
  EXPECT_EQ(3u, has.sm.smCount);
  unsigned count = 3;
  ASSERT_EQ(CUDA_SUCCESS, cuDevSmResourceSplitByCount(pieces, &count, &has, nullptr, 0, 1));
  ASSERT_EQ(3u, count);
  CUdevResourceDesc described = nullptr;
  CUgreenCtx two = nullptr;
  CUdevResource joined{};
  ASSERT_EQ(CUDA_SUCCESS, cuDevResourceGenerateDesc(&described, pieces, 2));
  ASSERT_EQ(CUDA_SUCCESS, cuGreenCtxCreate(&two, described, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  ASSERT_EQ(CUDA_SUCCESS, cuGreenCtxGetDevResource(two, &joined, CU_DEV_RESOURCE_TYPE_SM));
  EXPECT_EQ(2u, joined.sm.smCount);
  unsigned long long first = 0, second = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxGetId(three, &first));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxGetId(two, &second));
  EXPECT_NE(first, second);
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(three));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(two));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGreenCtxDestroy(two));
}

TEST_F(GreenContext, KernelsUseTheWorkersOfTheirPart) {
  const CUgreenCtx part = make_part(1);
  const CUstream stream = make_stream(part);
  const CUfunction f = function(thread_kernel);
  EXPECT_EQ(1u, threads_of_a_launch(f, stream));
  EXPECT_LT(1u, threads_of_a_launch(f, nullptr));
  // A cooperative grid has as many blocks as its multiprocessors hold.
  int on_each = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, f, 1, 0));
  const auto fits = static_cast<unsigned>(on_each);
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchCooperativeKernel(f, fits, 1, 1, 1, 1, 1, 0, stream, nullptr));
  EXPECT_EQ(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
            cuLaunchCooperativeKernel(f, fits + 1, 1, 1, 1, 1, 1, 0, stream, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(stream));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(stream));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(part));
}

TEST_F(GreenContext, ACurrentOneOwnsNewStreamsAndStreamZero) {
  const CUgreenCtx part = make_part(1);
  CUcontext before = nullptr, converted = nullptr, found = nullptr, primary = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&before));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxFromGreenCtx(&converted, part));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxPushCurrent(converted));
  const CUfunction f = function(thread_kernel);
  EXPECT_EQ(1u, threads_of_a_launch(f, nullptr));
  CUstream stream = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  EXPECT_EQ(1u, threads_of_a_launch(f, stream));
  CUdevResource has{};
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetDevResource(nullptr, &has, CU_DEV_RESOURCE_TYPE_SM));
  EXPECT_EQ(1u, has.sm.smCount);
  CUgreenCtx green = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetGreenCtx(nullptr, &green));
  EXPECT_EQ(part, green);
  unsigned long long id = 0, own_id = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxGetId(nullptr, &id));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxGetId(part, &own_id));
  EXPECT_EQ(own_id, id);
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(converted));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxPopCurrent(&found));
  EXPECT_EQ(converted, found);

  // The stream stays bound to its context.
  EXPECT_EQ(1u, threads_of_a_launch(f, stream));
  EXPECT_LT(1u, threads_of_a_launch(f, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetCtx(stream, &found));
  EXPECT_EQ(converted, found);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetCtx_v2(stream, &found, &green));
  ASSERT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT_EQ(primary, found);
  EXPECT_EQ(part, green);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetGreenCtx(nullptr, &green));
  EXPECT_EQ(nullptr, green);
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuGreenCtxGetId(nullptr, &id));
  EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRelease(0));

  // Streams outlive the destroyed context, but calls refuse them.
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(part));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamSynchronize(stream));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamDestroy(stream));
}

TEST_F(GreenContext, EventsCoverAllStreams) {
  const CUgreenCtx part = make_part(1);
  const CUstream one = make_stream(part), two = make_stream(part);
  int* const counted = managed<int>(1);
  int& value = *counted;
  const void* arguments_of_kernel[] = {&counted};
  void** const arguments = const_cast<void**>(arguments_of_kernel);
  const CUfunction f = function(increment_kernel);
  CUevent recorded = nullptr, awaited = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&recorded, CU_EVENT_DEFAULT));
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&awaited, CU_EVENT_DEFAULT));
  for (const CUstream stream : {one, two}) {
    ASSERT_EQ(CUDA_SUCCESS, cuLaunchHostFunc(stream, [](void*) { usleep(50000); }, nullptr));
    ASSERT_EQ(CUDA_SUCCESS, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  }
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxRecordEvent(part, recorded));
  EXPECT_EQ(CUDA_SUCCESS, cuEventSynchronize(recorded));
  EXPECT_EQ(2, value);

  // The context's present and future streams wait for an event of another stream.
  CUstream outside = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamCreate(&outside, CU_STREAM_NON_BLOCKING));
  static std::atomic<bool> opened;
  opened = false;
  ASSERT_EQ(CUDA_SUCCESS, cuLaunchHostFunc(
                              outside,
                              [](void*) {
                                while (!opened) usleep(1000);
                              },
                              nullptr));
  ASSERT_EQ(CUDA_SUCCESS, cuEventRecord(awaited, outside));
  ASSERT_EQ(CUDA_SUCCESS, cuGreenCtxWaitEvent(part, awaited));
  const CUstream late = make_stream(part);
  for (const CUstream stream : {one, two, late}) {
    ASSERT_EQ(CUDA_SUCCESS, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  }
  usleep(20000);
  EXPECT_EQ(2, value);
  opened = true;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(5, value);

  // During a capture of one of its streams, a context can neither record nor wait for an event, and the attempt
  // invalidates the capture.
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCapture(one, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuGreenCtxRecordEvent(part, recorded));
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(one, &graph));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(recorded));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(awaited));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(outside));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(part));
}

TEST_F(GreenContext, ADestroyedOneThatIsCurrentTakesNoWork) {
  const CUgreenCtx part = make_part(1);
  CUcontext converted = nullptr, found = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuCtxFromGreenCtx(&converted, part));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxPushCurrent(converted));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(converted));
  ASSERT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(part));
  EXPECT_EQ(cudaErrorContextIsDestroyed, cudaStreamSynchronize(nullptr));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamSynchronize(nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxPopCurrent(&found));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(nullptr));
}

TEST_F(GreenContext, NeedsNoCurrentContext) {
  const CUgreenCtx part = make_part(1);
  CUcontext found = nullptr;
  std::thread([&] {  // no device is current in a new thread
    const CUstream stream = make_stream(part);
    EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&found));
    EXPECT_EQ(nullptr, found);
    EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGreenCtxRecordEvent(part, nullptr));
    EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&found));
    EXPECT_EQ(nullptr, found);
    (void)stream;
  })
      .join();
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(part));
}

TEST_F(GreenContext, AContextOfAPartRecordsThePartAlone) {
  const CUgreenCtx part = make_part(1);
  const CUstream inside = make_stream(part);
  CUcontext converted = nullptr;
  CUstream outside = nullptr;
  CUevent recorded = nullptr, captured = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuCtxFromGreenCtx(&converted, part));
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&recorded, CU_EVENT_DEFAULT));
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&captured, CU_EVENT_DEFAULT));
  ASSERT_EQ(CUDA_SUCCESS, cuStreamCreate(&outside, CU_STREAM_NON_BLOCKING));
  static std::atomic<bool> opened;
  opened = false;
  ASSERT_EQ(CUDA_SUCCESS, cuLaunchHostFunc(
                              outside,
                              [](void*) {
                                while (!opened) usleep(1000);
                              },
                              nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxRecordEvent(converted, recorded));
  EXPECT_EQ(CUDA_SUCCESS, cuEventSynchronize(recorded));  // does not wait for the stream outside the context
  opened = true;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());

  // A context's wait for an event of a capture does not join its streams to the capture.
  CUgraph graph = nullptr;
  CUstreamCaptureStatus status{};
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCapture(outside, CU_STREAM_CAPTURE_MODE_RELAXED));
  ASSERT_EQ(CUDA_SUCCESS, cuEventRecord(captured, outside));
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuGreenCtxWaitEvent(part, captured));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamIsCapturing(inside, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, status);
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(outside, &graph));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(recorded));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(captured));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(outside));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(part));
}

TEST_F(GreenContext, AGraphKeepsTheMultiprocessorsOfItsNodes) {
  const CUgreenCtx part = make_part(1);
  const CUstream stream = make_stream(part);
  const CUfunction f = function(thread_kernel);
  CUgraph graph = nullptr;
  CUgraphExec ready = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  ASSERT_EQ(CUDA_SUCCESS, cuLaunchKernel(f, 24, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, cuStreamEndCapture(stream, &graph));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiate(&ready, graph, 0));
  threads.clear();
  ASSERT_EQ(CUDA_SUCCESS, cuGraphLaunch(ready, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(1u, threads.size());
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(ready));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  EXPECT_EQ(CUDA_SUCCESS, cuGreenCtxDestroy(part));
}

}  // namespace
