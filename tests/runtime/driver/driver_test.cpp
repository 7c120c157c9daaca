// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: memory, functions, modules, launches, streams.
#include <atomic>
#include <vector>

#include "driver.hpp"

namespace {

using test::device_scope;
using Driver = test::driver;

struct alignas(16) pair {
  double a, b;
};
// A kernel with parameters of different sizes: pointer, char, pair, int.
void mix(void** arguments) {
  const auto* p = static_cast<pair*>(arguments[2]);
  test::argument<double*>(arguments, 0)[test::global_index()] =
      test::argument<char>(arguments, 1) + p->a + p->b + test::argument<int>(arguments, 3);
}
void meet(void** arguments) {
  auto* sum = test::argument<std::atomic<int>*>(arguments, 0);
  if (cohort_thread_index(0) == 0) sum->fetch_add(1);
  cohort_wait_multi_grid();
  if (test::global_index() == 0) test::argument<int*>(arguments, 1)[cohort_multi_grid_rank()] = sum->load();
}
void crash(void**) { cohort_fail(cudaErrorLaunchFailure, "the test wants it so"); }
void nothing(void**) {}

const test::kernel mix_kernel("driver_mix", mix, {8, 1, 16, 4}, 100);
const test::kernel meet_kernel("driver_meet", meet, {8, 8});
const test::kernel crash_kernel("driver_crash", crash, {});
const test::kernel empty_kernel("driver_empty", nothing, {}, 0, 256);

TEST_F(Driver, MemoryIsTheRuntimes) {
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(1)));
  CUdeviceptr memory = 0, base = 0, other = 0;
  size_t bytes = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&memory, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuMemAlloc(&memory, 4000));
  EXPECT_EQ(CUDA_SUCCESS, cuMemGetAddressRange(&base, &bytes, memory + 100));
  EXPECT_EQ(memory, base);
  EXPECT_EQ(4000u, bytes);
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, 64));
  int device = -1;
  CUmemorytype type{};
  CUcontext owner = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory));
  EXPECT_EQ(1, device);
  EXPECT_EQ(CUDA_SUCCESS, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  EXPECT_EQ(CU_MEMORYTYPE_DEVICE, type);
  EXPECT_EQ(CUDA_SUCCESS, cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  EXPECT_EQ(primary(1), owner);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 64));

  std::vector<unsigned> words(1000, 1);
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(memory, 0xdeadbeef, 1000));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD16(memory + 4, 0x1234, 2));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD8(memory + 9, 7, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(memory + 2, 0, 1)) << "not aligned";
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(memory, 0, 1001));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoH(words.data(), memory, 4000));
  EXPECT_EQ(0xdeadbeefu, words[0]);
  EXPECT_EQ(0x12341234u, words[1]);
  EXPECT_EQ(0xdead07efu, words[2]);
  EXPECT_EQ(0xdeadbeefu, words[999]);

  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(2)));
  ASSERT_EQ(CUDA_SUCCESS, cuMemAlloc(&other, 4000));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyPeer(other, primary(2), memory, primary(1), 4000));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(other, nullptr, memory, primary(1), 4000));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyHtoDAsync(memory, words.data() + 1, 4, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoD(other + 4, other, 4));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpy(reinterpret_cast<uintptr_t>(words.data()), other, 8));
  EXPECT_EQ(0xdeadbeefu, words[1]);
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(memory));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(other));

  size_t pitch = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&memory, &pitch, 10, 10, 5));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&memory, &pitch, 10, 0, 4));
  ASSERT_EQ(CUDA_SUCCESS, cuMemAllocPitch(&memory, &pitch, 30, 3, 4));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD2D8(memory, pitch, 0, pitch, 3));
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD2D16(memory, pitch, 0x0102, 15, 3));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D16(memory, pitch, 0, 15, 4));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(memory, pitch + 2, 0, 5, 2));
  std::vector<unsigned char> rows(3 * pitch);
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoH(rows.data(), memory, rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(i % pitch < 30 ? 2 - i % 2 : 0, rows[i]) << i;
  EXPECT_EQ(CUDA_SUCCESS, cuMemFree(memory));

  void* host = nullptr;
  CUdeviceptr mapped = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
  EXPECT_EQ(CUDA_SUCCESS, cuMemHostGetDevicePointer(&mapped, host, 0));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(host), mapped);
  EXPECT_EQ(CUDA_SUCCESS, cuMemFreeHost(host));
  EXPECT_EQ(cudaSuccess, cudaGetLastError()) << "the driver leaves the runtime's error alone";
}

TEST_F(Driver, LaunchesTakePointersOrOneBuffer) {
  double* out = managed<double>(8);
  char c = 1;
  pair p{10, 100};
  int i = 1000;
  void* pointers[] = {&out, &c, &p, &i};
  const CUfunction f = function(mix_kernel);
  ASSERT_EQ(CUDA_SUCCESS, launch(f, 2, 4, pointers));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  for (int k = 0; k < 8; ++k) EXPECT_EQ(1111, out[k]);

  alignas(16) char buffer[64] = {};
  size_t bytes = 0;
  for (size_t k = 0; k < 4; ++k) {
    size_t offset = 0, size = 0;
    ASSERT_EQ(CUDA_SUCCESS, cuFuncGetParamInfo(f, k, &offset, &size));
    bytes = offset + size;
    std::memcpy(buffer + offset, pointers[k], size);
  }
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(f, 4, &bytes, nullptr));
  reinterpret_cast<int*>(buffer + bytes)[-1] = 2000;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  ASSERT_EQ(CUDA_SUCCESS, cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, nullptr, nullptr, extra));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  for (int k = 0; k < 8; ++k) EXPECT_EQ(2111, out[k]);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, nullptr, pointers, extra)) << "both";
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(f, 1, 1)) << "neither";
  --bytes;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, nullptr, nullptr, extra)) << "too short";
  extra[0] = reinterpret_cast<void*>(9);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, nullptr, nullptr, extra));
}

TEST_F(Driver, LaunchErrorsAreTheDrivers) {
  const CUfunction f = function(empty_kernel);
  EXPECT_EQ(CUDA_SUCCESS, launch(f, 1, 256));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(f, 0, 32));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(f, 1, 1025));
  EXPECT_EQ(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, launch(f, 1, 257));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(f, 1, 1, nullptr, 1 << 20));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, launch(nullptr, 1, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, launch(reinterpret_cast<CUfunction>(this), 1, 1));
  CUstream there = nullptr;
  {
    device_scope on(1);
    ASSERT_EQ(CUDA_SUCCESS, cuStreamCreate(&there, CU_STREAM_NON_BLOCKING));
  }
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, there, nullptr, nullptr));
  CUcontext of_stream = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetCtx(there, &of_stream));
  EXPECT_EQ(primary(1), of_stream);
  of_stream = nullptr;
  auto green = reinterpret_cast<CUgreenCtx>(1);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetCtx_v2(there, &of_stream, &green));
  EXPECT_EQ(primary(1), of_stream);
  EXPECT_EQ(nullptr, green);

  int per_sm = 0, sms = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, f, 256, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  const auto most = static_cast<unsigned>(per_sm * sms);
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchCooperativeKernel(f, most, 1, 1, 256, 1, 1, 0, nullptr, nullptr));
  EXPECT_EQ(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
            cuLaunchCooperativeKernel(f, most + 1, 1, 1, 256, 1, 1, 0, nullptr, nullptr));

  int grid = 0, block = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 0));
  EXPECT_EQ(256, block) << "__launch_bounds__";
  EXPECT_EQ(8 * sms, grid);
  const auto bytes_of = [](int threads) { return static_cast<size_t>(threads) * 512; };
  EXPECT_EQ(CUDA_SUCCESS, cuOccupancyMaxPotentialBlockSize(&grid, &block, f, bytes_of, 0, 0));
  EXPECT_LE(block, 96) << "more would need more than 48 KiB";

  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {2, 1, 1};
  CUlaunchConfig config{4, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchKernelEx(&config, f, nullptr, nullptr));
  int clusters = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuOccupancyMaxActiveClusters(&clusters, f, &config));
  EXPECT_GE(clusters, 1);
  config.gridDimX = 3;
  EXPECT_EQ(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&config, f, nullptr, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(nullptr, f, nullptr, nullptr));
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
}

TEST_F(Driver, FunctionAttributes) {
  const CUfunction f = function(mix_kernel);
  const auto get = [&](CUfunction_attribute a) {
    int value = -1;
    EXPECT_EQ(CUDA_SUCCESS, cuFuncGetAttribute(&value, a, f));
    return value;
  };
  EXPECT_EQ(1024, get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  EXPECT_EQ(100, get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  EXPECT_EQ(0, get(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED));
  EXPECT_EQ(CUDA_SUCCESS, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  EXPECT_EQ(1, get(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED));
  EXPECT_EQ(CUDA_SUCCESS, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  EXPECT_EQ(100000, get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 1));
  int value = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, f));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
}

TEST_F(Driver, ModulesAreTheProgramsOwn) {
  CUmodule module = nullptr;
  CUfunction found = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuFuncGetModule(&module, function(mix_kernel)));
  EXPECT_EQ(CUDA_SUCCESS, cuModuleGetFunction(&found, module, "driver_mix"));
  EXPECT_EQ(function(mix_kernel), found);
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&found, module, "driver_meet"));
  CUdeviceptr address = 0;
  size_t bytes = 0;
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&address, &bytes, module, "nothing"));
  EXPECT_EQ(CUDA_ERROR_NOT_PERMITTED, cuModuleUnload(module));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(nullptr));
  testing::internal::CaptureStderr();
  EXPECT_EQ(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, ".version 8.0"));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("cuModuleLoadData: the image cannot be loaded: it is no image for this CPU"))
      << said;
  EXPECT_EQ(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/nonexistent/image"));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, nullptr));
}

TEST_F(Driver, MultiDeviceLaunches) {
  int* words = managed<int>(4);
  int* seen = words + 1;
  void* arguments[] = {&words, &seen};
  CUDA_LAUNCH_PARAMS grids[3];
  for (int d = 0; d < 3; ++d) {
    device_scope on(d);
    CUstream s = nullptr;
    ASSERT_EQ(CUDA_SUCCESS, cuStreamCreate(&s, 0));
    grids[d] = {function(meet_kernel), 2, 1, 1, 32, 1, 1, 0, s, arguments};
  }
  ASSERT_EQ(CUDA_SUCCESS, cuLaunchCooperativeKernelMultiDevice(grids, 3, 0));
  for (auto& g : grids) EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(g.hStream));
  for (int d = 0; d < 3; ++d) EXPECT_EQ(6, seen[d]);
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchCooperativeKernelMultiDevice(grids, 1, 3));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(grids[0].hStream));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(grids, 0, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(grids, 3, 4));
  grids[1].hStream = grids[0].hStream;
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuLaunchCooperativeKernelMultiDevice(grids, 3, 0));
  grids[1].hStream = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLaunchCooperativeKernelMultiDevice(grids, 3, 0));
}

TEST_F(Driver, AFailureIsStickyUntilReset) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(CUDA_SUCCESS, launch(function(crash_kernel), 1, 1));
  EXPECT_EQ(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
  (void)testing::internal::GetCapturedStderr();
  CUdeviceptr memory = 0;
  EXPECT_EQ(CUDA_ERROR_LAUNCH_FAILED, cuMemAlloc(&memory, 16));
  EXPECT_EQ(cudaErrorLaunchFailure, cudaGetLastError()) << "the runtime sees it too";
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(1)));
  EXPECT_EQ(CUDA_SUCCESS, cuMemAlloc(&memory, 16));
  EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxReset(0));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(0)));
  EXPECT_EQ(CUDA_SUCCESS, launch(function(empty_kernel), 1, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
}

TEST_F(Driver, EventsAndStreams) {
  CUstream s = nullptr;
  CUevent start = nullptr, end = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, -1));
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&start, CU_EVENT_DEFAULT));
  ASSERT_EQ(CUDA_SUCCESS, cuEventCreate(&end, CU_EVENT_DEFAULT));
  EXPECT_EQ(CUDA_SUCCESS, cuEventRecord(start, s));
  EXPECT_EQ(CUDA_SUCCESS, cuLaunchKernel(function(empty_kernel), 1, 1, 1, 1, 1, 1, 0, s, nullptr, nullptr));
  EXPECT_EQ(CUDA_SUCCESS, cuEventRecord(end, s));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamWaitEvent(nullptr, end, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuEventSynchronize(end));
  float ms = -1;
  EXPECT_EQ(CUDA_SUCCESS, cuEventElapsedTime(&ms, start, end));
  EXPECT_GE(ms, 0);
  unsigned flags = 9;
  int priority = 9;
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetFlags(s, &flags));
  EXPECT_EQ(1u, flags);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetPriority(s, &priority));
  CUstreamAttrValue value{};
  EXPECT_EQ(CUDA_SUCCESS, cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
  EXPECT_EQ(priority, value.priority);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamCopyAttributes(s, s));
  EXPECT_EQ(-1, priority);
  int called = 0;
  const auto count = [](CUstream, CUresult status, void* data) { *static_cast<int*>(data) += status == CUDA_SUCCESS; };
  EXPECT_EQ(CUDA_SUCCESS, cuStreamAddCallback(s, count, &called, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(s, nullptr, &called, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  EXPECT_EQ(1, called);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamQuery(s));
  EXPECT_EQ(CUDA_SUCCESS, cuEventDestroy(start));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(start));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamDestroy(s));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(nullptr));
}

}  // namespace
