// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error handling of a careful program: refused launches, invalid arguments, sticky and non-sticky errors, failed
// allocations.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

static int failures = 0;
static void expect(cudaError_t got, cudaError_t expected, const char* what, int line) {
  if (got == expected) return;
  std::printf("line %d: %s gave %s, expected %s\n", line, what, cudaGetErrorName(got), cudaGetErrorName(expected));
  ++failures;
}
// CUDA 12 calls a launch of an impossible shape an invalid configuration, CUDA 13 an invalid value.
static void expect_refused(cudaError_t got, int line) {
  if (got == cudaErrorInvalidConfiguration || got == cudaErrorInvalidValue) return;
  std::printf("line %d: the launch gave %s\n", line, cudaGetErrorName(got));
  ++failures;
}
#define EXPECT_REFUSED(call) expect_refused((call), __LINE__)
#define EXPECT(call, error) expect((call), (error), #call, __LINE__)

__global__ void set(int* p, int v) { *p = v; }

__global__ void sync_free(int* p) { atomicAdd(p, 1); }

int main() {
  int *d = nullptr, h = 0;
  EXPECT(cudaMalloc(&d, sizeof(int)), cudaSuccess);

  // Launches with an impossible shape.
  set<<<1, 2048>>>(d, 1);
  EXPECT_REFUSED(cudaPeekAtLastError());
  EXPECT_REFUSED(cudaGetLastError());
  EXPECT(cudaGetLastError(), cudaSuccess);
  set<<<0, 32>>>(d, 1);
  EXPECT_REFUSED(cudaGetLastError());
  set<<<1, dim3(1, 1, 65)>>>(d, 1);
  EXPECT_REFUSED(cudaGetLastError());
  set<<<dim3(1, 65536), 1>>>(d, 1);
  EXPECT_REFUSED(cudaGetLastError());
  set<<<1, 1, 100000>>>(d, 1);
  EXPECT(cudaGetLastError(), cudaErrorInvalidValue);

  // A refused launch leaves the context usable.
  set<<<1, 1>>>(d, 42);
  EXPECT(cudaGetLastError(), cudaSuccess);
  EXPECT(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT(cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
  if (h != 42) std::printf("got %d, expected 42\n", h), ++failures;

  // Cooperative launches that are too large, and one that fits.
  int sms = 0, per_sm = 0;
  EXPECT(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, sync_free, 1024, 0), cudaSuccess);
  void* args[] = {&d};
  EXPECT(cudaMemset(d, 0, sizeof(int)), cudaSuccess);
  EXPECT(cudaLaunchCooperativeKernel((void*)sync_free, dim3(sms * per_sm + 1), dim3(1024), args, 0, 0),
         cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaLaunchCooperativeKernel((void*)sync_free, dim3(sms * per_sm), dim3(1024), args, 0, 0), cudaSuccess);
  EXPECT(cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
  if (h != sms * per_sm * 1024) std::printf("%d threads ran, expected %d\n", h, sms * per_sm * 1024), ++failures;

  // Invalid arguments.
  EXPECT(cudaMalloc((void**)nullptr, 4), cudaErrorInvalidValue);
  EXPECT(cudaSetDevice(1000), cudaErrorInvalidDevice);
  EXPECT(cudaMemcpy(d, &h, sizeof(int), (cudaMemcpyKind)17), cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaFree(nullptr), cudaSuccess);
  EXPECT(cudaFree(&h), cudaErrorInvalidValue);
  cudaGetLastError();
  void* huge = &h;
  EXPECT(cudaMalloc(&huge, (size_t)1 << 60), cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
  int attribute = 0;
  EXPECT(cudaDeviceGetAttribute(&attribute, cudaDevAttrMaxThreadsPerBlock, 0), cudaSuccess);
  if (attribute != 1024) std::printf("max threads per block is %d\n", attribute), ++failures;

  // All these errors have a name and a text.
  if (std::strcmp(cudaGetErrorName(cudaErrorCooperativeLaunchTooLarge), "cudaErrorCooperativeLaunchTooLarge") != 0)
    ++failures;
  if (std::strcmp(cudaGetErrorString(cudaSuccess), "no error") != 0) ++failures;
  if (std::strlen(cudaGetErrorString(cudaErrorInvalidConfiguration)) < 10) ++failures;
  EXPECT(cudaFree(d), cudaSuccess);
  EXPECT(cudaGetLastError(), cudaSuccess);
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
