// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All forms of launches in one user program: `<<<>>>` with templates, overloads, default arguments and lambdas,
// launches by pointer, cudaLaunchKernelEx, with streams and events.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../expect.hpp"

namespace cg = cooperative_groups;

constexpr int count = 1000;

template <typename T, int Factor>
__global__ void scale(T* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = static_cast<T>(i * Factor);
}

__global__ void overloaded(int* out) { *out = 1; }
__global__ void overloaded(float* out) { *out = 2.5f; }

struct triple {
  char tag;
  double values[3];
};

__global__ void unpack(int* out, char c, triple t, short s = 10) {
  *out = c + t.tag + static_cast<int>(t.values[0] + t.values[1] + t.values[2]) + s;
}

__global__ void dynamic_shared(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

template <class Function>
__global__ void apply(int* out, Function f) {
  out[threadIdx.x] = f(threadIdx.x);
}

__global__ void grid_sum(const int* in, int* partial, int* total, int n) {
  const cg::grid_group grid = cg::this_grid();
  int sum = 0;
  for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size())) sum += in[i];
  atomicAdd(&partial[blockIdx.x], sum);
  grid.sync();
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    *total = all;
  }
}

__global__ void wait_for_host(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = *flag + 1;
}

__global__ void describe(cudaError_t error, char* text, char* name) {
  for (const char* from = cudaGetErrorString(error); *from; ++from) *text++ = *from;
  for (const char* from = cudaGetErrorName(error); *from; ++from) *name++ = *from;
}

template <class T>
T* managed(int n) {
  T* p = nullptr;
  CALL(cudaMallocManaged(&p, n * sizeof(T)));
  for (int i = 0; i < n; ++i) p[i] = T{};
  return p;
}

static void plain_launches() {
  int* ints = managed<int>(count);
  float* floats = managed<float>(count);
  scale<int, 3><<<(count + 255) / 256, 256>>>(ints, count);
  scale<float, 2><<<dim3(4), dim3(128, 1)>>>(floats, 400);
  CALL(cudaGetLastError());
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT(ints[i] == 3 * i);
  for (int i = 0; i < count; ++i) EXPECT(floats[i] == (i < 400 ? 2.0f * i : 0.0f));

  overloaded<<<1, 1>>>(ints);
  overloaded<<<1, 1>>>(floats);
  CALL(cudaDeviceSynchronize());
  EXPECT(ints[0] == 1);
  EXPECT(floats[0] == 2.5f);

  unpack<<<1, 1>>>(ints, 'a', triple{1, {2, 3, 4}});
  CALL(cudaDeviceSynchronize());
  EXPECT(ints[0] == 'a' + 1 + 9 + 10);

  dynamic_shared<<<1, 100, 100 * sizeof(int)>>>(ints);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) EXPECT(ints[i] == 100 - i);

  const int base = 40;
  apply<<<1, 8>>>(ints, [=] __device__(int i) { return base + i; });
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) EXPECT(ints[i] == 40 + i);
  CALL(cudaFree(ints));
  CALL(cudaFree(floats));
}

static void launches_by_pointer() {
  int* ints = managed<int>(count);
  int n = count;
  void* arguments[] = {&ints, &n};
  CALL(cudaLaunchKernel(scale<int, 5>, dim3(4), dim3(256), arguments));
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT(ints[i] == 5 * i);
  CALL(cudaLaunchKernel((const void*)scale<int, 7>, dim3(4), dim3(256), arguments, 0, 0));
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT(ints[i] == 7 * i);

  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 256;
  // The arguments of a launch are converted to the parameters' types.
  const short small = count;
  CALL(cudaLaunchKernelEx(&config, scale<int, 9>, ints, small));
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT(ints[i] == 9 * i);
  CALL(cudaFree(ints));
}

static void cooperative_launches() {
  int blocks_per_sm = 0;
  int sms = 0;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, grid_sum, 128, 0));
  CALL(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const int most = blocks_per_sm * sms;
  int* in = managed<int>(count);
  int* partial = managed<int>(most + 1);
  int* total = managed<int>(1);
  int n = count;
  for (int i = 0; i < count; ++i) in[i] = i;
  void* arguments[] = {&in, &partial, &total, &n};
  CALL(cudaLaunchCooperativeKernel((void*)grid_sum, most, 128, arguments));
  CALL(cudaDeviceSynchronize());
  EXPECT(*total == count * (count - 1) / 2);
  EXPECT(cudaLaunchCooperativeKernel(grid_sum, most + 1, 128, arguments) == cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);

  for (int b = 0; b < most; ++b) partial[b] = 0;
  *total = 0;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 3;
  config.blockDim = 64;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CALL(cudaLaunchKernelEx(&config, grid_sum, in, partial, total, n));
  CALL(cudaDeviceSynchronize());
  EXPECT(*total == count * (count - 1) / 2);
  CALL(cudaFree(in));
  CALL(cudaFree(partial));
  CALL(cudaFree(total));
}

static void host_and_kernel_talk() {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return;  // ThreadSanitizer reports the volatile accesses as a race
#endif
#endif
  volatile int* flag = managed<int>(1);
  int* out = managed<int>(1);
  cudaEvent_t start, end;
  CALL(cudaEventCreate(&start));
  CALL(cudaEventCreate(&end));
  CALL(cudaEventRecord(start));
  wait_for_host<<<1, 1>>>(flag, out);
  CALL(cudaEventRecord(end));
  EXPECT(cudaEventQuery(end) == cudaErrorNotReady);
  EXPECT(cudaGetLastError() == cudaErrorNotReady);
  *flag = 41;
  CALL(cudaEventSynchronize(end));
  EXPECT(*out == 42);
  float ms = -1;
  CALL(cudaEventElapsedTime(&ms, start, end));
  EXPECT(ms >= 0);
  CALL(cudaEventDestroy(start));
  CALL(cudaEventDestroy(end));
  CALL(cudaFree((void*)flag));
  CALL(cudaFree(out));
}

static void occupancy() {
  int grid = 0, block = 0;
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale<int, 3>));
  EXPECT(block == 1024);
  CALL(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic_shared,
                                                      [](int threads) { return threads * sizeof(int); }));
  EXPECT(block > 0 && grid > 0);
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, dynamic_shared));
  EXPECT(attributes.maxThreadsPerBlock == 1024);
}

static void bad_launches() {
  int* out = managed<int>(1);
  overloaded<<<1, 1025>>>(out);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  overloaded<<<0, 1>>>(out);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  overloaded<<<1, 1, 1 << 20>>>(out);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CALL(cudaDeviceSynchronize());
  EXPECT(*out == 0);
  CALL(cudaFree(out));
}

static void kernels_describe_errors() {
  char* text = managed<char>(64);
  char* name = managed<char>(64);
  describe<<<1, 1>>>(cudaErrorInvalidValue, text, name);
  CALL(cudaDeviceSynchronize());
  EXPECT(std::strcmp(text, "invalid argument") == 0);
  EXPECT(std::strcmp(name, "cudaErrorInvalidValue") == 0);
  CALL(cudaFree(text));
  CALL(cudaFree(name));
}

int main() {
  plain_launches();
  launches_by_pointer();
  cooperative_launches();
  host_and_kernel_talk();
  occupancy();
  bad_launches();
  kernels_describe_errors();
  std::printf(failures ? "%d failures\n" : "passed\n", failures);
  return failures != 0;
}
