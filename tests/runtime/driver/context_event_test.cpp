// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: events of all streams of a context; atomic operations and notifications of devices; arrays without
// planes.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "driver.hpp"

namespace {

using ContextEvent = test::driver;
using test::address;

// A stream that stays busy until it is released.
class busy_stream {
 public:
  busy_stream(CUstream s, uint32_t* word) : stream_(s), word_(word) {
    std::atomic_ref(*word_).store(0);
    EXPECT_EQ(CUDA_SUCCESS, cuStreamWaitValue32(s, address(word), 1, CU_STREAM_WAIT_VALUE_EQ));
  }
  void release() { std::atomic_ref(*word_).store(1); }
  CUstream get() const { return stream_; }

 private:
  CUstream stream_;
  uint32_t* word_;
};

bool is_idle(CUstream s) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return cuStreamQuery(s) == CUDA_SUCCESS;
}

CUevent make_event() {
  CUevent made = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuEventCreate(&made, CU_EVENT_DEFAULT));
  return made;
}

CUstream make_stream(unsigned flags) {
  CUstream made = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuStreamCreate(&made, flags));
  return made;
}

TEST_F(ContextEvent, IsRecordedAfterTheWorkOfAllStreams) {
  const CUstream first = make_stream(CU_STREAM_DEFAULT), second = make_stream(CU_STREAM_NON_BLOCKING);
  uint32_t* const words = managed<uint32_t>(3);
  const CUevent event = make_event();
  busy_stream one(first, words), two(second, words + 1);
  ASSERT_EQ(CUDA_SUCCESS, cuCtxRecordEvent(primary(0), event));
  busy_stream later(second, words + 2);  // this later work is not captured by the event
  EXPECT_EQ(CUDA_ERROR_NOT_READY, cuEventQuery(event));
  one.release();
  EXPECT_FALSE(is_idle(second));
  EXPECT_EQ(CUDA_ERROR_NOT_READY, cuEventQuery(event)) << "the other stream is busy";
  two.release();
  EXPECT_EQ(CUDA_SUCCESS, cuEventSynchronize(event));
  EXPECT_FALSE(is_idle(second)) << "work after the record";
  later.release();
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(CUDA_SUCCESS, cuCtxRecordEvent(primary(0), event)) << "an idle device";
  EXPECT_EQ(CUDA_SUCCESS, cuEventSynchronize(event));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(first));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(second));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(event));
}

TEST_F(ContextEvent, AllLaterWorkWaits) {
  for (const unsigned flags : {CU_STREAM_DEFAULT, CU_STREAM_NON_BLOCKING}) {
    const CUstream source = make_stream(CU_STREAM_NON_BLOCKING), other = make_stream(flags);
    uint32_t* const words = managed<uint32_t>(4);
    for (int i = 0; i < 4; ++i) words[i] = 0;
    const CUevent event = make_event();
    busy_stream held(source, words);
    ASSERT_EQ(CUDA_SUCCESS, cuEventRecord(event, source));
    ASSERT_EQ(CUDA_SUCCESS, cuCtxWaitEvent(primary(0), event));
    const CUstream young = make_stream(CU_STREAM_NON_BLOCKING);  // a stream that is made after the wait
    const CUstream streams[] = {other, young, nullptr};
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(CUDA_SUCCESS, cuStreamWriteValue32(streams[i], address(words + 1 + i), 7, 0));
    }
    for (const CUstream s : streams) EXPECT_FALSE(is_idle(s)) << "flags " << flags;
    for (int i = 1; i < 4; ++i) EXPECT_EQ(0u, std::atomic_ref(words[i]).load()) << i;
    held.release();
    EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
    for (int i = 1; i < 4; ++i) EXPECT_EQ(7u, words[i]) << i;
    for (const CUstream s : {source, other, young}) EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(s));
    EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(event));
  }
}

TEST_F(ContextEvent, WorkOfOtherDevicesDoesNotWait) {
  uint32_t* const words = managed<uint32_t>(2);
  words[1] = 0;
  const CUevent event = make_event();
  const CUstream source = make_stream(CU_STREAM_NON_BLOCKING);
  busy_stream held(source, words);
  ASSERT_EQ(CUDA_SUCCESS, cuEventRecord(event, source));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxWaitEvent(primary(1), event)) << "an event of another device";
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuCtxRecordEvent(primary(1), event));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxPushCurrent(primary(2)));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamWriteValue32(nullptr, address(words + 1), 9, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(9u, words[1]);
  CUcontext popped = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxPopCurrent(&popped));
  held.release();
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(source));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(event));
}

TEST_F(ContextEvent, CapturesForbidThem) {
  const CUstream s = make_stream(CU_STREAM_NON_BLOCKING);
  const CUevent event = make_event();
  for (const auto call : {cuCtxRecordEvent, cuCtxWaitEvent}) {
    CUgraph graph = nullptr;
    ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, call(primary(0), event));
    EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &graph));
    EXPECT_EQ(CUDA_SUCCESS, call(primary(0), event));
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, call(nullptr, event));
    EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, call(primary(0), nullptr));
  }
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(s));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(event));
}

TEST_F(ContextEvent, AtomicOperationsOfLinks) {
  const CUatomicOperation asked[] = {CU_ATOMIC_OPERATION_CAS, CU_ATOMIC_OPERATION_INTEGER_ADD,
                                     CU_ATOMIC_OPERATION_FLOAT_MAX};
  unsigned of_host[3] = {1, 1, 1}, of_peer[3] = {1, 1, 1};
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetHostAtomicCapabilities(of_host, asked, 3, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetP2PAtomicCapabilities(of_peer, asked, 3, 2, 0));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(of_host[i], of_peer[i]);
  EXPECT_EQ(3u | 8 | 16 | 32, of_host[0]);
  EXPECT_EQ(3u | 4 | 8 | 16, of_host[1]);
  EXPECT_EQ(0u, of_host[2]);
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetHostAtomicCapabilities(of_host, asked, 3, 3));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetP2PAtomicCapabilities(of_host, asked, 3, 1, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetHostAtomicCapabilities(of_host, asked, 0, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetHostAtomicCapabilities(nullptr, asked, 3, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetP2PAtomicCapabilities(of_host, nullptr, 3, 0, 1));
  const CUatomicOperation unknown[] = {CU_ATOMIC_OPERATION_INTEGER_ADD, CU_ATOMIC_OPERATION_MAX};
  of_host[0] = 99;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetHostAtomicCapabilities(of_host, unknown, 2, 0));
  EXPECT_EQ(99u, of_host[0]);
  const cudaAtomicOperation same = cudaAtomicOperationCAS;
  EXPECT_EQ(cudaSuccess, cudaDeviceGetHostAtomicCapabilities(of_peer, &same, 1, 0));
  EXPECT_EQ(3u | 8 | 16 | 32, of_peer[0]);
}

TEST_F(ContextEvent, NotificationsAreRegistered) {
  const CUasyncCallback function = [](CUasyncNotificationInfo*, void*, CUasyncCallbackHandle) { ADD_FAILURE(); };
  CUasyncCallbackHandle first = nullptr, second = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuDeviceRegisterAsyncNotification(1, function, nullptr, &first));
  ASSERT_EQ(CUDA_SUCCESS, cuDeviceRegisterAsyncNotification(1, function, nullptr, &second));
  EXPECT_NE(first, second);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceUnregisterAsyncNotification(0, first)) << "of another device";
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceUnregisterAsyncNotification(1, first));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceUnregisterAsyncNotification(1, first));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceUnregisterAsyncNotification(1, second));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceRegisterAsyncNotification(3, function, nullptr, &first));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceRegisterAsyncNotification(0, nullptr, nullptr, &first));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceRegisterAsyncNotification(0, function, nullptr, nullptr));
}

TEST_F(ContextEvent, ArraysHaveNoPlanesAndNoTiles) {
  const CUDA_ARRAY_DESCRIPTOR plain{17, 5, CU_AD_FORMAT_FLOAT, 2};
  CUarray array = nullptr, plane = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuArrayCreate(&array, &plain));
  CUDA_ARRAY_MEMORY_REQUIREMENTS memory;
  CUDA_ARRAY_SPARSE_PROPERTIES tiles;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuArrayGetPlane(&plane, array, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuArrayGetPlane(&plane, nullptr, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuArrayGetMemoryRequirements(&memory, array, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuArrayGetSparseProperties(&tiles, array));
  EXPECT_EQ(cudaErrorInvalidValue, cudaArrayGetMemoryRequirements(nullptr, reinterpret_cast<cudaArray_t>(array), 0));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT_EQ(CUDA_SUCCESS, cuArrayDestroy(array));
}

}  // namespace
