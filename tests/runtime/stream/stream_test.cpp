// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "../test_module.hpp"

namespace {

using namespace std::chrono_literals;

// Appends a decimal digit: out[0] = out[0] * 10 + digit.
void append(void** arguments) {
  auto* out = test::argument<long*>(arguments, 0);
  *out = *out * 10 + test::argument<int>(arguments, 1);
}
const test::kernel append_kernel("append", append, {8, 4});

// Polls until the host or another kernel sets *flag.
void poll(void** arguments) {
  auto* flag = test::argument<std::atomic<int>*>(arguments, 0);
  while (flag->load() == 0) cohort_wait_yield();
}
const test::kernel poll_kernel("poll", poll, {8});

struct shared_state {
  std::atomic<int> flag{0};
  long digits = 0;
};

class Stream : public testing::Test {
 protected:
  void SetUp() override {
    void* memory = nullptr;
    ASSERT_EQ(cudaSuccess, cudaMallocManaged(&memory, sizeof(shared_state)));
    state_ = new (memory) shared_state;
  }
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaDeviceReset());
    (void)cudaGetLastError();
  }
  cudaError_t add(int digit, cudaStream_t s) { return test::launch(append_kernel, 1, 1, 0, s, &state_->digits, digit); }
  cudaError_t block(cudaStream_t s) { return test::launch(poll_kernel, 1, 1, 0, s, &state_->flag); }
  static cudaStream_t make(unsigned flags = cudaStreamDefault, int priority = 0) {
    cudaStream_t s = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithPriority(&s, flags, priority));
    return s;
  }
  shared_state* state_ = nullptr;
};

TEST_F(Stream, RunsInOrder) {
  const cudaStream_t s = make();
  for (int round = 0; round < 50; ++round) {
    state_->digits = 0;
    for (int digit = 1; digit <= 9; ++digit) ASSERT_EQ(cudaSuccess, add(digit, s));
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(s));
    ASSERT_EQ(123456789, state_->digits);
  }
}

TEST_F(Stream, HostGoesOnWhileAKernelRuns) {
  ASSERT_EQ(cudaSuccess, block(nullptr));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  state_->flag = 1;
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(cudaSuccess, cudaStreamQuery(nullptr));
}

TEST_F(Stream, RunsWithoutAnyoneWaiting) {
  ASSERT_EQ(cudaSuccess, add(7, nullptr));
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(7, state_->digits);
}

TEST_F(Stream, DefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  const cudaStream_t a = make();
  const cudaStream_t b = make();
  const cudaStream_t free_stream = make(cudaStreamNonBlocking);
  ASSERT_EQ(cudaSuccess, block(a));
  ASSERT_EQ(cudaSuccess, add(1, nullptr));
  ASSERT_EQ(cudaSuccess, add(2, b));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(b));
  EXPECT_EQ(cudaSuccess, cudaStreamQuery(free_stream));
  // The non-blocking stream does not wait for the other streams: its copy runs first and ends the polling kernel.
  long* copied = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocManaged(&copied, sizeof(long)));
  const long seven = 7;
  EXPECT_EQ(cudaSuccess, cudaMemcpyAsync(copied, &seven, sizeof seven, cudaMemcpyHostToDevice, free_stream));
  const auto set = [](void* flag) { static_cast<std::atomic<int>*>(flag)->store(1); };
  EXPECT_EQ(cudaSuccess, cudaLaunchHostFunc(free_stream, set, &state_->flag));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(free_stream));
  EXPECT_EQ(7, *copied);
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(b));
  EXPECT_EQ(12, state_->digits);
}

TEST_F(Stream, WaitingForOneStreamRunsNoKernelOfAnother) {
  const cudaStream_t a = make(cudaStreamNonBlocking);
  const cudaStream_t b = make(cudaStreamNonBlocking);
  ASSERT_EQ(cudaSuccess, block(a));
  int* out = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMalloc(&out, sizeof(int)));
  ASSERT_EQ(cudaSuccess, cudaMemsetAsync(out, 1, sizeof(int), b));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(b)) << "must not wait for the kernel in the other stream";
  state_->flag = 1;
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(a));
}

TEST_F(Stream, PerThreadStreamsAreTheThreadsOwn) {
  ASSERT_EQ(cudaSuccess, block(cudaStreamPerThread));
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaStreamQuery(cudaStreamPerThread); }).join();
  EXPECT_EQ(cudaSuccess, other);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(cudaStreamPerThread));
  state_->flag = 1;
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(cudaStreamPerThread));
}

TEST_F(Stream, EventsOrderStreams) {
  const cudaStream_t a = make(cudaStreamNonBlocking);
  const cudaStream_t b = make(cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaSuccess, cudaEventCreate(&event));
  EXPECT_EQ(cudaSuccess, cudaEventQuery(event)) << "never recorded";
  ASSERT_EQ(cudaSuccess, block(a));
  ASSERT_EQ(cudaSuccess, add(1, a));
  ASSERT_EQ(cudaSuccess, cudaEventRecord(event, a));
  ASSERT_EQ(cudaSuccess, cudaStreamWaitEvent(b, event, 0));
  ASSERT_EQ(cudaSuccess, add(2, b));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(b));
  state_->flag = 1;
  EXPECT_EQ(cudaSuccess, cudaEventSynchronize(event));
  EXPECT_EQ(cudaSuccess, cudaEventQuery(event));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(b));
  EXPECT_EQ(12, state_->digits);
  EXPECT_EQ(cudaSuccess, cudaEventDestroy(event));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventDestroy(event));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventRecord(event, a));
}

TEST_F(Stream, EventsMeasureTheStreamsTime) {
  cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
  ASSERT_EQ(cudaSuccess, cudaEventCreate(&start));
  ASSERT_EQ(cudaSuccess, cudaEventCreate(&end));
  ASSERT_EQ(cudaSuccess, cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  float ms = -1;
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, end));
  ASSERT_EQ(cudaSuccess, cudaEventRecord(start));
  ASSERT_EQ(cudaSuccess, block(nullptr));
  ASSERT_EQ(cudaSuccess, cudaEventRecord(end));
  EXPECT_EQ(cudaErrorNotReady, cudaEventElapsedTime(&ms, start, end));
  std::this_thread::sleep_for(20ms);
  state_->flag = 1;
  ASSERT_EQ(cudaSuccess, cudaEventSynchronize(end));
  ASSERT_EQ(cudaSuccess, cudaEventElapsedTime(&ms, start, end));
  EXPECT_GE(ms, 20.0f) << "the kernel ran at least as long as the host slept";
  ASSERT_EQ(cudaSuccess, cudaEventElapsedTime(&ms, end, start));
  EXPECT_LE(ms, -20.0f);
  ASSERT_EQ(cudaSuccess, cudaEventRecord(untimed));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed));
  (void)cudaGetLastError();
}

TEST_F(Stream, HostFunctionsRunInOrderAndMayNotCall) {
  struct record {
    long* digits;
    cudaError_t inside = cudaSuccess;
    std::thread::id thread;
  } seen{&state_->digits, cudaSuccess, {}};
  const cudaStream_t s = make();
  ASSERT_EQ(cudaSuccess, add(1, s));
  const auto function = [](void* data) {
    auto* r = static_cast<record*>(data);
    *r->digits = *r->digits * 10 + 2;
    void* memory = nullptr;
    r->inside = cudaMalloc(&memory, 16);
    r->thread = std::this_thread::get_id();
  };
  ASSERT_EQ(cudaSuccess, cudaLaunchHostFunc(s, function, &seen));
  ASSERT_EQ(cudaSuccess, add(3, s));
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(s));
  EXPECT_EQ(123, state_->digits);
  EXPECT_EQ(cudaErrorNotPermitted, seen.inside);
  EXPECT_NE(std::this_thread::get_id(), seen.thread);
}

TEST_F(Stream, CallbacksGetTheStreamAndTheStatus) {
  struct record {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } seen;
  const cudaStream_t s = make();
  const auto callback = [](cudaStream_t stream, cudaError_t status, void* data) {
    *static_cast<record*>(data) = {stream, status};
  };
  ASSERT_EQ(cudaSuccess, cudaStreamAddCallback(s, callback, &seen, 0));
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(s));
  EXPECT_EQ(s, seen.stream);
  EXPECT_EQ(cudaSuccess, seen.status);
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamAddCallback(s, callback, &seen, 1));
}

TEST_F(Stream, HostFunctionMayWaitForAnotherStream) {
  const cudaStream_t a = make(cudaStreamNonBlocking);
  const cudaStream_t b = make(cudaStreamNonBlocking);
  const auto wait = [](void* data) {
    while (static_cast<std::atomic<int>*>(data)->load() == 0) std::this_thread::yield();
  };
  ASSERT_EQ(cudaSuccess, cudaLaunchHostFunc(a, wait, &state_->flag));
  const auto set = [](void* data) { static_cast<std::atomic<int>*>(data)->store(1); };
  ASSERT_EQ(cudaSuccess, cudaLaunchHostFunc(b, set, &state_->flag));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Stream, HigherPriorityGoesFirst) {
  int least = 1, greatest = 1;
  ASSERT_EQ(cudaSuccess, cudaDeviceGetStreamPriorityRange(&least, &greatest));
  ASSERT_LT(greatest, least);
  const cudaStream_t low = make(cudaStreamNonBlocking, least);
  const cudaStream_t high = make(cudaStreamNonBlocking, greatest);
  const cudaStream_t first = make(cudaStreamNonBlocking, greatest);
  int priority = 1;
  EXPECT_EQ(cudaSuccess, cudaStreamGetPriority(high, &priority));
  EXPECT_EQ(greatest, priority);
  ASSERT_EQ(cudaSuccess, block(first));
  while (cudaStreamQuery(first) != cudaErrorNotReady) {
  }
  // Kernels of one device run one at a time, so both streams wait for the end of the first kernel.
  std::this_thread::sleep_for(20ms);
  ASSERT_EQ(cudaSuccess, add(2, low));
  ASSERT_EQ(cudaSuccess, add(1, high));
  state_->flag = 1;
  ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(12, state_->digits);
}

TEST_F(Stream, AttributesAreKept) {
  cudaStream_t a, b;
  ASSERT_EQ(cudaSuccess, cudaStreamCreate(&a));
  ASSERT_EQ(cudaSuccess, cudaStreamCreate(&b));
  cudaStreamAttrValue value{};
  EXPECT_EQ(cudaSuccess, cudaStreamGetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  EXPECT_EQ(cudaSyncPolicyAuto, value.syncPolicy);
  EXPECT_EQ(cudaSuccess, cudaStreamGetAttribute(a, cudaStreamAttributeMemSyncDomainMap, &value));
  EXPECT_EQ(1, value.memSyncDomainMap.remote);

  int bytes = 0;
  value.accessPolicyWindow = {&bytes, sizeof bytes, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  EXPECT_EQ(cudaSuccess, cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.hitRatio = 1.5f;
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow = {&bytes, 4, 1, cudaAccessPropertyNormal, cudaAccessPropertyPersisting};
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value));
  value.syncPolicy = cudaSyncPolicyYield;
  EXPECT_EQ(cudaSuccess, cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  value.syncPolicy = static_cast<cudaSynchronizationPolicy>(9);
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  EXPECT_EQ(cudaSuccess, cudaStreamSetAttribute(a, cudaStreamAttributeMemSyncDomain, &value));
  value.priority = -100;
  EXPECT_EQ(cudaSuccess, cudaStreamSetAttribute(a, cudaStreamAttributePriority, &value));

  EXPECT_EQ(cudaSuccess, cudaStreamCopyAttributes(b, a));
  int least = 0, greatest = 0, priority = 0;
  EXPECT_EQ(cudaSuccess, cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(cudaSuccess, cudaStreamGetPriority(b, &priority));
  EXPECT_EQ(greatest, priority);
  EXPECT_EQ(cudaSuccess, cudaStreamGetAttribute(b, cudaStreamAttributePriority, &value));
  EXPECT_EQ(greatest, value.priority);
  EXPECT_EQ(cudaSuccess, cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &value));
  EXPECT_EQ(&bytes, value.accessPolicyWindow.base_ptr);
  EXPECT_EQ(0.5f, value.accessPolicyWindow.hitRatio);
  EXPECT_EQ(cudaSuccess, cudaStreamGetAttribute(b, cudaStreamAttributeSynchronizationPolicy, &value));
  EXPECT_EQ(cudaSyncPolicyYield, value.syncPolicy);
  EXPECT_EQ(cudaSuccess, cudaStreamGetAttribute(b, cudaStreamAttributeMemSyncDomain, &value));
  EXPECT_EQ(cudaLaunchMemSyncDomainRemote, value.memSyncDomain);

  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaLaunchAttributeCooperative, &value));
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamGetAttribute(a, cudaLaunchAttributeClusterDimension, &value));
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamSetAttribute(a, cudaStreamAttributePriority, nullptr));
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamGetAttribute(a, cudaStreamAttributePriority, nullptr));
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(b));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(a, b));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(a));
}

TEST_F(Stream, DestroyedStreamFinishesItsWork) {
  const cudaStream_t s = make();
  ASSERT_EQ(cudaSuccess, block(s));
  ASSERT_EQ(cudaSuccess, add(5, s));
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(s));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
  state_->flag = 1;
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(5, state_->digits);
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
}

TEST_F(Stream, FlagsAndIds) {
  const cudaStream_t s = make(cudaStreamNonBlocking);
  unsigned flags = 9;
  unsigned long long a = 0, b = 0;
  int device = -1;
  EXPECT_EQ(cudaSuccess, cudaStreamGetFlags(s, &flags));
  EXPECT_EQ(unsigned{cudaStreamNonBlocking}, flags);
  EXPECT_EQ(cudaSuccess, cudaStreamGetId(s, &a));
  EXPECT_EQ(cudaSuccess, cudaStreamGetId(nullptr, &b));
  EXPECT_NE(a, b);
  EXPECT_EQ(cudaSuccess, cudaStreamGetDevice(s, &device));
  EXPECT_EQ(0, device);
  cudaStream_t bad = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&bad, 8));
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
}

TEST_F(Stream, ManyThreadsAndStreams) {
  constexpr int threads = 4;
  constexpr int rounds = 100;
  std::vector<long*> sums(threads);
  for (long*& sum : sums) ASSERT_EQ(cudaSuccess, cudaMallocManaged(&sum, sizeof(long)));
  std::vector<std::thread> hosts;
  std::atomic<int> failures{0};
  for (int t = 0; t < threads; ++t) {
    hosts.emplace_back([&, t] {
      cudaStream_t s = nullptr;
      if (cudaStreamCreateWithFlags(&s, t % 2 ? cudaStreamNonBlocking : cudaStreamDefault) != cudaSuccess) ++failures;
      for (int round = 0; round < rounds; ++round) {
        long zero = 0, got = -1;
        failures += cudaMemcpyAsync(sums[t], &zero, sizeof zero, cudaMemcpyHostToDevice, s) != cudaSuccess;
        for (int digit = 1; digit <= 3; ++digit)
          failures += test::launch(append_kernel, 1, 1, 0, s, sums[t], digit) != 0;
        failures += cudaMemcpyAsync(&got, sums[t], sizeof got, cudaMemcpyDeviceToHost, s) != cudaSuccess;
        failures += got != 123;
      }
      failures += cudaStreamDestroy(s) != cudaSuccess;
    });
  }
  for (std::thread& host : hosts) host.join();
  EXPECT_EQ(0, failures.load());
}

// A forked child has neither the parent's threads nor the parent's pending work.
TEST_F(Stream, ChildOfAForkDoesItsOwnWorkOnly) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer allows no new threads in the child of a fork";
#endif
#endif
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaSuccess, cudaEventCreate(&event));
  const cudaStream_t busy = make();
  const cudaStream_t behind = make(cudaStreamNonBlocking);
  ASSERT_EQ(cudaSuccess, block(busy));
  ASSERT_EQ(cudaSuccess, cudaEventRecord(event, busy));
  ASSERT_EQ(cudaSuccess, cudaStreamWaitEvent(behind, event, 0));
  ASSERT_EQ(cudaSuccess, add(1, behind));
  ASSERT_EQ(cudaErrorNotReady, cudaStreamQuery(behind));
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    bool right = cudaEventSynchronize(event) == cudaSuccess && cudaStreamSynchronize(behind) == cudaSuccess;
    right = right && add(2, behind) == cudaSuccess;
    while (cudaStreamQuery(behind) == cudaErrorNotReady)
      std::this_thread::yield();  // no host thread synchronises, so a thread of the runtime runs the work
    right = right && add(3, nullptr) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
    _exit(right && state_->digits == 23 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(0, WEXITSTATUS(status));
  state_->flag = 1;
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(behind));
  EXPECT_EQ(1, state_->digits);
  EXPECT_EQ(cudaSuccess, cudaEventDestroy(event));
}

TEST(StreamAtExit, UnwaitedWorkIsDoneBeforeTheProgramEnds) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        cudaLaunchHostFunc(
            nullptr,
            [](void*) {
              std::this_thread::sleep_for(50ms);
              std::fprintf(stderr, "done at last\n");
            },
            nullptr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "done at last");
}

}  // namespace
