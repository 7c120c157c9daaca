// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: initialization, devices, contexts, peers, and the runtime's current device.
#include <thread>

#include "driver.hpp"

namespace {

using Driver = test::driver;

TEST_F(Driver, DevicesAndNames) {
  int count = 0, value = 0, major = 0, minor = 0;
  CUdevice device = -1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetCount(&count));
  EXPECT_EQ(3, count);
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGet(&device, 2));
  EXPECT_EQ(2, device);
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 3));
  char name[8] = {};
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetName(name, sizeof name, 0));
  EXPECT_STREQ("Cohort ", name) << "cut to fit";
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 1));
  EXPECT_EQ(1, value);
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, 1));
  EXPECT_EQ(1, value);
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1));
  EXPECT_EQ(32, value);
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 1));
  EXPECT_EQ(CU_COMPUTEMODE_DEFAULT, value);
  for (const auto absent :
       {CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE,
        CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED}) {
    value = 7;
    EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, absent, 2));
    EXPECT_EQ(0, value);
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(nullptr, absent, 2));
    EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, absent, 3));
  }
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceComputeCapability(&major, &minor, 0));
  EXPECT_EQ(9, major);
  size_t bytes = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceTotalMem(&bytes, 0));
  EXPECT_EQ(cohort_device_get(0)->memory_bytes, bytes);
  CUuuid first, second;
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetUuid(&first, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetUuid(&second, 1));
  EXPECT_NE(0, std::memcmp(&first, &second, sizeof first));
  const char* text = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuGetErrorName(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, &text));
  EXPECT_STREQ("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", text);
  EXPECT_EQ(CUDA_SUCCESS, cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT_STREQ("invalid argument", text);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(12345), &text));
  EXPECT_EQ(nullptr, text);
}

TEST_F(Driver, EveryErrorHasAText){
#define COHORT_CHECK(name, number)                          \
  {                                                         \
    const char* text = nullptr;                             \
    EXPECT_EQ(CUDA_SUCCESS, cuGetErrorString(name, &text)); \
    EXPECT_STRNE("unrecognized error code", text) << #name; \
  }
    COHORT_CU_ERRORS(COHORT_CHECK)
#undef COHORT_CHECK
}

TEST_F(Driver, NewThreadsHaveNoContext) {
  std::thread([this] {
    CUcontext c = reinterpret_cast<CUcontext>(1);
    EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&c));
    EXPECT_EQ(nullptr, c);
    CUdeviceptr memory = 0;
    CUdevice device = -1;
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&c));
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(reinterpret_cast<CUcontext>(&c)));
    // The first call of the runtime API makes the primary context current.
    EXPECT_EQ(cudaSuccess, cudaFree(nullptr));
    EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&c));
    EXPECT_EQ(primary(0), c);
    EXPECT_EQ(CUDA_SUCCESS, cuCtxGetDevice(&device));
    EXPECT_EQ(0, device);
  }).join();
}

TEST_F(Driver, ContextsAndTheRuntimesDeviceGoTogether) {
  CUcontext own = nullptr, current = nullptr, popped = nullptr;
  int device = -1;
  ASSERT_EQ(CUDA_SUCCESS, cuCtxCreate(&own, 0, 1)) << "the form of CUDA 12";
  EXPECT_EQ(cudaSuccess, cudaGetDevice(&device));
  EXPECT_EQ(1, device);
  EXPECT_EQ(CUDA_SUCCESS, cuCtxPushCurrent(primary(2)));
  EXPECT_EQ(cudaSuccess, cudaGetDevice(&device));
  EXPECT_EQ(2, device);
  EXPECT_EQ(CUDA_SUCCESS, cuCtxPopCurrent(&popped));
  EXPECT_EQ(primary(2), popped);
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&current));
  EXPECT_EQ(own, current);
  EXPECT_EQ(cudaSuccess, cudaSetDevice(2)) << "replaces the current context";
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&current));
  EXPECT_EQ(primary(2), current);
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(own));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary(1)));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxDestroy(own));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSetCurrent(own));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy(own));
  CUctxCreateParams parameters{};
  EXPECT_EQ(CUDA_SUCCESS, cuCtxCreate(&own, &parameters, CU_CTX_SCHED_SPIN, 0)) << "the form of CUDA 13";
  unsigned flags = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetFlags(&flags));
  EXPECT_EQ(unsigned{CU_CTX_SCHED_SPIN}, flags);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(&own, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v3(&own, nullptr, 0, 0, 3));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  EXPECT_EQ(CUDA_SUCCESS, cuCtxDestroy(own));
}

TEST_F(Driver, TheLastContextTakesEverythingOfItsDevice) {
  CUcontext first = nullptr, second = nullptr;
  CUdeviceptr memory = 0, base = 0;
  size_t bytes = 0;
  unsigned flags = 0;
  int active = -1;
  ASSERT_EQ(CUDA_SUCCESS, cuCtxCreate(&first, 0, 2));
  ASSERT_EQ(CUDA_SUCCESS, cuMemAlloc(&memory, 100));
  ASSERT_EQ(CUDA_SUCCESS, cuCtxCreate(&second, 0, 2));
  EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxGetState(2, &flags, &active));
  EXPECT_EQ(1, active);
  EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRelease(2));
  EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxGetState(2, &flags, &active));
  EXPECT_EQ(0, active);
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(2)) << "once too often";
  EXPECT_EQ(CUDA_SUCCESS, cuCtxDestroy(first));
  EXPECT_EQ(CUDA_SUCCESS, cuMemGetAddressRange(&base, &bytes, memory)) << "there is another context";
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(0)));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxDestroy(second));
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, memory));
  CUdevice device = -1;
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetDevice(&device));
  EXPECT_EQ(0, device) << "the current context stayed";
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetDevice_v2(&device, primary(2)));
  EXPECT_EQ(2, device);
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize_v2(primary(2)));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxGetDevice_v2(&device, nullptr));
  EXPECT_EQ(0, device) << "the current context stayed";
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize_v2(second));
  EXPECT_EQ(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxGetDevice_v2(&device, second));
  CUcontext again = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&again, 2));
  EXPECT_EQ(primary(2), again);
}

TEST_F(Driver, PeersAnswerAsCudaDoes) {
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSetCurrent(primary(0)));
  int can = 0;
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(1, can);
  EXPECT_EQ(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(primary(1)));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxEnablePeerAccess(primary(1), 0));
  EXPECT_EQ(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(primary(1), 0));
  EXPECT_EQ(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0)) << "one table for both";
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxEnablePeerAccess(primary(2), 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(primary(0), 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(nullptr, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuCtxDisablePeerAccess(primary(1)));
}

// Runs in a process of its own, where the driver API is not initialized yet.
TEST(DriverStart, CallsBeforeItAreRefused) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto start = [] {
    int count = 0, version = 0;
    CUcontext c = nullptr;
    bool right = cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED;
    right = right && cuCtxCreate_v2(&c, 0, 0) == CUDA_ERROR_NOT_INITIALIZED;
    right = right && cuDriverGetVersion(&version) == CUDA_SUCCESS && version == CUDA_VERSION;
    right = right && cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS;
    std::exit(right ? 0 : 1);
  };
  EXPECT_EXIT(start(), testing::ExitedWithCode(0), "");
  const auto by_the_runtime = [] {
    int count = 0;
    bool right = cudaSetDevice(1) == cudaSuccess && cuDeviceGetCount(&count) == CUDA_SUCCESS;
    // cuInit initializes the driver API for all threads.
    std::thread([&] { right = right && cuDeviceGetCount(&count) == CUDA_SUCCESS; }).join();
    std::exit(right ? 0 : 1);
  };
  EXPECT_EXIT(by_the_runtime(), testing::ExitedWithCode(0), "");
}

}  // namespace
