// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that a capture permits, and those that it refuses. The codes are a GPU's: nvcc compiles this file, too, and
// the program passes there (H100, driver 580).
#include <thread>

#include "../expect.hpp"

namespace {

cudaStream_t stream = nullptr;
cudaStream_t other = nullptr;
cudaEvent_t event = nullptr;
cudaEvent_t recorded = nullptr;  // an event recorded in `other` before any capture
int* memory = nullptr;

__global__ void increment(int* p) { ++*p; }

// The macro CALL as a function, for use in expressions.
void must(cudaError_t result) { CALL(result); }

// Makes a call during a capture of `stream`, and expects its code and the code of the capture's end.
template <class Call>
void expect_call(int line, cudaStreamCaptureMode mode, Call&& call, cudaError_t expected, cudaError_t end) {
  CALL(cudaStreamBeginCapture(stream, mode));
  const cudaError_t got = call();
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (got != expected || ended != end || (graph != nullptr) != (end == cudaSuccess)) {
    std::printf("line %d: the call returned %d, expected %d; the end of the capture %d, expected %d\n", line, got,
                expected, ended, end);
    ++failures;
  }
  if (graph) CALL(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
}

#define EXPECT_CALL(mode, expected, end, ...) \
  expect_call(__LINE__, cudaStreamCaptureMode##mode, [&]() -> cudaError_t { return __VA_ARGS__; }, expected, end)
#define PERMITTED(mode, ...) EXPECT_CALL(mode, cudaSuccess, cudaSuccess, __VA_ARGS__)
#define REFUSED(mode, error, ...) EXPECT_CALL(mode, error, cudaErrorStreamCaptureInvalidated, __VA_ARGS__)

cudaError_t launch(cudaStream_t s) {
  increment<<<1, 1, 0, s>>>(memory);
  return cudaGetLastError();
}

// Makes `other` wait for the captured stream.
cudaError_t fork() {
  const cudaError_t error = cudaEventRecord(event, stream);
  return error != cudaSuccess ? error : cudaStreamWaitEvent(other, event, 0);
}

cudaError_t join() {
  const cudaError_t error = cudaEventRecord(event, other);
  return error != cudaSuccess ? error : cudaStreamWaitEvent(stream, event, 0);
}

cudaError_t in_another_thread(cudaError_t (*call)()) {
  cudaError_t result = cudaSuccess;
  std::thread([&] { result = call(); }).join();
  return result;
}

cudaError_t allocate() {
  void* fresh = nullptr;
  const cudaError_t error = cudaMalloc(&fresh, 64);
  return error;
}

void test_calls_that_wait() {
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  REFUSED(Relaxed, cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  REFUSED(Relaxed, cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  REFUSED(Relaxed, cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaStreamQuery(other));
  PERMITTED(Relaxed, cudaStreamQuery(other));
  REFUSED(ThreadLocal, cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(other));
  PERMITTED(Relaxed, cudaStreamSynchronize(other));
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaEventQuery(recorded));
  PERMITTED(Relaxed, cudaEventQuery(recorded));
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaEventSynchronize(recorded));
  PERMITTED(Relaxed, cudaEventSynchronize(recorded));
  REFUSED(Global, cudaErrorCapturedEvent, (must(cudaEventRecord(event, stream)), cudaEventQuery(event)));
  REFUSED(Relaxed, cudaErrorCapturedEvent, (must(cudaEventRecord(event, stream)), cudaEventSynchronize(event)));
}

void test_memory() {
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, allocate());
  PERMITTED(Relaxed, allocate());
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaFree(nullptr));
  PERMITTED(Relaxed, cudaFree(nullptr));
  void* pinned = nullptr;
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaMallocHost(&pinned, 64));
  PERMITTED(Relaxed, cudaMallocHost(&pinned, 64));
  size_t free_bytes = 0;
  size_t all_bytes = 0;
  PERMITTED(Global, cudaMemGetInfo(&free_bytes, &all_bytes));
}

void test_default_stream() {
  int value = 0;
  EXPECT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  REFUSED(Global, cudaErrorStreamCaptureImplicit, cudaMemcpy(memory, &value, 4, cudaMemcpyHostToDevice));
  REFUSED(Relaxed, cudaErrorStreamCaptureImplicit, cudaMemcpy(memory, &value, 4, cudaMemcpyHostToDevice));
  REFUSED(Global, cudaErrorStreamCaptureImplicit, cudaMemset(memory, 0, 4));
  REFUSED(Relaxed, cudaErrorStreamCaptureImplicit, cudaMemsetAsync(memory, 0, 4, nullptr));
  REFUSED(Global, cudaErrorStreamCaptureImplicit, launch(nullptr));
  REFUSED(Relaxed, cudaErrorStreamCaptureImplicit, launch(nullptr));
  REFUSED(Global, cudaErrorStreamCaptureImplicit, cudaStreamQuery(nullptr));
  REFUSED(Relaxed, cudaErrorStreamCaptureImplicit, cudaStreamQuery(nullptr));
}

void test_forks() {
  REFUSED(Global, cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(stream, recorded, 0));
  REFUSED(Relaxed, cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(stream, recorded, 0));
  PERMITTED(Global, fork());
  PERMITTED(Global, (must(launch(stream)), fork()));
  PERMITTED(Global, (must(launch(stream)), must(fork()), must(launch(other)), join()));
  EXPECT_CALL(Global, cudaSuccess, cudaErrorStreamCaptureUnjoined, (must(fork()), launch(other)));
  EXPECT_CALL(Relaxed, cudaSuccess, cudaErrorStreamCaptureUnjoined,
              (must(launch(stream)), must(fork()), must(launch(other)), launch(stream)));
  cudaGraph_t graph = nullptr;
  REFUSED(Global, cudaErrorStreamCaptureUnmatched, (must(fork()), cudaStreamEndCapture(other, &graph)));
}

void test_two_captures() {
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
  CALL(cudaEventRecord(event, other));
  EXPECT(cudaStreamWaitEvent(stream, event, 0) == cudaErrorStreamCaptureMerge);
  EXPECT(cudaStreamEndCapture(other, &graph) == cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  (void)cudaGetLastError();
}

void test_begin_and_end() {
  cudaGraph_t graph = nullptr;
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  EXPECT_CALL(Global, cudaErrorIllegalState, cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(7)) == cudaErrorInvalidValue);
  PERMITTED(Global, (must(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal)),
                     cudaStreamEndCapture(cudaStreamPerThread, &graph)));
  const auto end = [] {
    cudaGraph_t made = nullptr;
    return cudaStreamEndCapture(stream, &made);
  };
  EXPECT_CALL(Global, cudaErrorStreamCaptureWrongThread, cudaErrorIllegalState, in_another_thread(end));
  EXPECT_CALL(ThreadLocal, cudaErrorStreamCaptureWrongThread, cudaErrorIllegalState, in_another_thread(end));
  (void)cudaGetLastError();
}

void test_other_threads() {
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, in_another_thread(allocate));
  PERMITTED(ThreadLocal, in_another_thread(allocate));
  PERMITTED(Relaxed, in_another_thread(allocate));
  PERMITTED(Global, in_another_thread([] {
              cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
              CALL(cudaThreadExchangeStreamCaptureMode(&mode));
              EXPECT(mode == cudaStreamCaptureModeGlobal);
              return allocate();
            }));
  PERMITTED(Global, in_another_thread([] { return launch(other); }));
}

void test_graph_launch() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  CALL(cudaGraphInstantiate(&runnable, graph, 0));
  REFUSED(Global, cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(runnable, stream));
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
}

void test_calls_of_streams() {
  cudaEvent_t fresh_event = nullptr;
  cudaStream_t fresh_stream = nullptr;
  PERMITTED(Global, cudaEventCreate(&fresh_event));
  PERMITTED(Global, cudaStreamCreate(&fresh_stream));
  PERMITTED(Global, cudaLaunchHostFunc(stream, [](void*) {}, nullptr));
  REFUSED(Global, cudaErrorStreamCaptureUnsupported,
          cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  CALL(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  PERMITTED(Global, cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  REFUSED(Global, cudaSuccess, ((void)cudaStreamSynchronize(stream), cudaStreamIsCapturing(stream, &status)));
  EXPECT(status == cudaStreamCaptureStatusInvalidated);
  REFUSED(Global, cudaErrorStreamCaptureInvalidated, ((void)cudaStreamSynchronize(stream), launch(stream)));
}

}  // namespace

int main() {
  CALL(cudaStreamCreate(&stream));
  CALL(cudaStreamCreate(&other));
  CALL(cudaEventCreate(&event));
  CALL(cudaEventCreate(&recorded));
  CALL(cudaMalloc(&memory, 64));
  CALL(launch(other));
  CALL(cudaEventRecord(recorded, other));
  CALL(cudaDeviceSynchronize());
  test_calls_that_wait();
  test_memory();
  test_default_stream();
  test_forks();
  test_two_captures();
  test_begin_and_end();
  test_other_threads();
  test_graph_launch();
  test_calls_of_streams();
  CALL(cudaDeviceSynchronize());
  return failures != 0;
}
