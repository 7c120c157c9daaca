// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that the device runtime refuses, with their errors, and the results of its queries. With an argument, the
// program's launch fails with a report.
#include <cstring>

#include "../expect.hpp"

__global__ void child(int* to) { atomicAdd(to, 1); }
__global__ void __launch_bounds__(64) bounded(int* to) { atomicAdd(to, 1); }
__global__ void greedy(int*) {
  extern __shared__ int words[];
  words[threadIdx.x] = 0;
}
__global__ void crash(int* to) { to[1 << 28] = 1; }

constexpr int most_errors = 40;

struct list {
  int count;
  cudaError_t errors[most_errors];
  __device__ void add(cudaError_t error) { errors[count++] = error; }
};

__global__ void refused(int* to, list* found) {
  const auto note = [&](auto launch) {
    launch();
    found->add(cudaPeekAtLastError());
    found->add(cudaGetLastError());
  };
  note([&] { child<<<1, 1>>>(to); });
  note([&] { child<<<0, 1>>>(to); });
  note([&] { child<<<1, 0>>>(to); });
  note([&] { child<<<1, 1025>>>(to); });
  note([&] { child<<<dim3(1, 65536), 1>>>(to); });
  note([&] { bounded<<<1, 65>>>(to); });
  note([&] { greedy<<<1, 1, 300000>>>(to); });
  note([&] { child<<<1, 1, 0, reinterpret_cast<cudaStream_t>(to)>>>(to); });
  note([&] { child<<<1, 1, 0, cudaStreamFireAndForget>>>(to); });
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  found->add(cudaStreamCreateWithFlags(&stream, cudaStreamDefault));
  found->add(cudaEventCreateWithFlags(&event, cudaEventDefault));
  found->add(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  found->add(cudaEventRecord(event, cudaStreamTailLaunch));
  found->add(cudaStreamWaitEvent(cudaStreamFireAndForget, event, 0));
  found->add(cudaEventDestroy(event));
  found->add(cudaEventRecord(event, 0));
  found->add(cudaStreamDestroy(0));
  int local = 0;
  found->add(cudaMemcpyAsync(to, &local, sizeof local, cudaMemcpyDeviceToDevice, 0));
  found->add(cudaMemsetAsync(to, 0, size_t{1} << 40, 0));
  int* const heap = static_cast<int*>(malloc(64));
  found->add(cudaMemcpyAsync(heap, to + (1 << 28), 64, cudaMemcpyDeviceToDevice, 0));
  found->add(cudaMemcpyAsync(to, heap, 65, cudaMemcpyDeviceToDevice, 0));
  found->add(cudaMemsetAsync(heap, 0, 65, 0));
  found->add(cudaMemsetAsync(heap, 0, 64, 0));
  found->add(cudaGetLastError());
  found->add(cudaGetLastError());
}

void test_refused(int* to) {
  list* found = nullptr;
  CALL(cudaMallocManaged(&found, sizeof *found));
  *to = 0;
  memset(found, 0, sizeof *found);
  refused<<<1, 1>>>(to, found);
  CALL(cudaDeviceSynchronize());
  const cudaError_t configuration = cudaErrorInvalidConfiguration, value = cudaErrorInvalidValue,
                    handle = cudaErrorInvalidResourceHandle, resources = cudaErrorLaunchOutOfResources,
                    none = cudaSuccess;
  const cudaError_t expected[] = {
      none,          none,          configuration, configuration, configuration, configuration, configuration,
      configuration, configuration, configuration, resources,     resources,     value,         value,
      handle,        handle,        none,          none,          value,         value,         none,
      value,         value,         none,          handle,        handle,        value,         value,
      value,         value,         value,         none,          value,         none};
  EXPECT(found->count == sizeof expected / sizeof *expected);
  for (int i = 0; i < found->count; ++i) {
    if (found->errors[i] != expected[i]) std::printf("error %d is %d, not %d\n", i, found->errors[i], expected[i]);
    EXPECT(found->errors[i] == expected[i]);
  }
  EXPECT(*to == 2);
  EXPECT(cudaGetLastError() == cudaSuccess);
  CALL(cudaFree(found));
}

// Each thread has its own latest error.
__global__ void errors_of_threads(int* to) {
  if (threadIdx.x % 3 == 1) child<<<0, 1>>>(to);
  to[1 + blockIdx.x * blockDim.x + threadIdx.x] = cudaGetLastError();
}

void test_errors_of_threads(int* to) {
  errors_of_threads<<<2, 33>>>(to);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 66; ++i) EXPECT(to[1 + i] == (i % 33 % 3 == 1 ? cudaErrorInvalidConfiguration : cudaSuccess));
}

// The limit of pending launches applies to those of all threads together.
__global__ void many(int* to, int count) {
  for (int i = 0; i < count; ++i) child<<<1, 1>>>(to);
  if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) atomicAdd(to + 1, 1);
}

void test_pending(int* to) {
  size_t limit = 0;
  CALL(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  EXPECT(limit == 2048);
  for (int count : {2048, 2049}) {
    to[0] = to[1] = 0;
    many<<<1, 1>>>(to, count);
    CALL(cudaDeviceSynchronize());
    EXPECT(to[0] == 2048);
    EXPECT(to[1] == count - 2048);
  }
  CALL(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 300));
  to[0] = to[1] = 0;
  many<<<5, 20>>>(to, 4);
  CALL(cudaDeviceSynchronize());
  EXPECT(to[0] == 300);
  EXPECT(to[1] >= 25);
  CALL(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
}

struct facts {
  int device, count, version, threads, blocks, max_of_bounded;
  size_t pending;
  cudaError_t errors[3];
};

__global__ void queries(facts* f) {
  cudaGetDevice(&f->device);
  cudaGetDeviceCount(&f->count);
  cudaRuntimeGetVersion(&f->version);
  cudaDeviceGetAttribute(&f->threads, cudaDevAttrMaxThreadsPerBlock, f->device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&f->blocks, child, 256, 0);
  cudaFuncAttributes attributes;
  f->errors[0] = cudaFuncGetAttributes(&attributes, bounded);
  f->max_of_bounded = attributes.maxThreadsPerBlock;
  f->errors[1] = cudaDeviceGetLimit(&f->pending, cudaLimitDevRuntimePendingLaunchCount);
  f->errors[2] = cudaFuncGetAttributes(&attributes, static_cast<const void*>(f));
}

void test_queries() {
  facts* f = nullptr;
  CALL(cudaMallocManaged(&f, sizeof *f));
  memset(f, -1, sizeof *f);
  queries<<<1, 1>>>(f);
  CALL(cudaDeviceSynchronize());
  int count = 0, blocks = 0;
  CALL(cudaGetDeviceCount(&count));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, child, 256, 0));
  EXPECT(f->device == 0 && f->count == count && f->version == CUDART_VERSION && f->threads == 1024);
  EXPECT(f->blocks == blocks && f->max_of_bounded == 64 && f->pending == 2048);
  EXPECT(f->errors[0] == cudaSuccess && f->errors[1] == cudaSuccess);
  EXPECT(f->errors[2] == cudaErrorInvalidDeviceFunction);
  EXPECT(cudaGetLastError() == cudaSuccess);
  CALL(cudaFree(f));
}

// Kernels whose launch fails with a report; the argument names one.
__global__ void pass_local(int* to) {
  int local[2] = {*to, 1};
  child<<<1, 1>>>(local);
  to[0] = local[0];
}
__global__ void pass_shared() {
  __shared__ int words[4];
  words[threadIdx.x] = 0;
  child<<<1, 1>>>(words);
}
__global__ void launch_crash(int* to) {
  if (threadIdx.x == 2) crash<<<1, 1>>>(to);
}

int fail(const char* name, int* to) {
  if (!strcmp(name, "local")) pass_local<<<1, 3>>>(to);
  if (!strcmp(name, "shared")) pass_shared<<<1, 3>>>();
  if (!strcmp(name, "crash")) launch_crash<<<2, 3>>>(to);
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

int main(int count, char** arguments) {
  int* to = nullptr;
  CALL(cudaMallocManaged(&to, 4096));
  if (count > 1) return fail(arguments[1], to);
  test_refused(to);
  test_errors_of_threads(to);
  test_pending(to);
  test_queries();
  std::puts(failures == 0 ? "passed" : "FAILED");
  return failures != 0;
}
