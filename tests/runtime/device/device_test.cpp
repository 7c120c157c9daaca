// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "../test_module.hpp"

namespace {

TEST(Device, CountAndChoice) {
  int count = 0, device = -1;
  EXPECT_EQ(cudaSuccess, cudaGetDeviceCount(&count));
  EXPECT_EQ(cohort_device_count(), count);
  EXPECT_EQ(cudaSuccess, cudaSetDevice(0));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(count));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(-1));
  EXPECT_EQ(cudaSuccess, cudaGetDevice(&device));
  EXPECT_EQ(0, device);
  cudaDeviceProp wanted{};
  wanted.major = 7;
  device = -1;
  EXPECT_EQ(cudaSuccess, cudaChooseDevice(&device, &wanted));
  EXPECT_EQ(0, device);
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
  (void)cudaGetLastError();
}

TEST(Device, PropertiesAndAttributesAgree) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaSuccess, cudaGetDeviceProperties(&p, 0));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 100));
  const cohort_device* d = cohort_device_get(0);
  EXPECT_STREQ(d->name, p.name);
  EXPECT_EQ(d->sm_count, p.multiProcessorCount);
  EXPECT_EQ(d->memory_bytes, p.totalGlobalMem);
  EXPECT_EQ(1, p.cooperativeLaunch);
  EXPECT_GT(p.memoryClockRate, 0);
  const auto attribute = [](cudaDeviceAttr a) {
    int value = -1;
    EXPECT_EQ(cudaSuccess, cudaDeviceGetAttribute(&value, a, 0)) << a;
    return value;
  };
  EXPECT_EQ(p.maxThreadsPerBlock, attribute(cudaDevAttrMaxThreadsPerBlock));
  EXPECT_EQ(p.maxGridSize[0], attribute(cudaDevAttrMaxGridDimX));
  EXPECT_EQ(p.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount));
  EXPECT_EQ(p.major, attribute(cudaDevAttrComputeCapabilityMajor));
  EXPECT_EQ(static_cast<int>(p.sharedMemPerBlockOptin), attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  EXPECT_EQ(p.memoryClockRate, attribute(cudaDevAttrMemoryClockRate)) << "measured once";
  EXPECT_EQ(1, attribute(cudaDevAttrCooperativeLaunch));
  EXPECT_EQ(0, attribute(cudaDevAttrMaxPersistingL2CacheSize));
  EXPECT_EQ(p.maxTexture2D[1], attribute(cudaDevAttrMaxTexture2DHeight));
  EXPECT_EQ(2048, attribute(cudaDevAttrMaxSurface1DLayeredLayers));
}

TEST(Device, EveryAttributeOfCudaHasAnAnswer) {
  int answered = 0;
  for (int a = 0; a <= 147; ++a) {
    int value = 0;
    answered += cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(a), 0) == cudaSuccess;
  }
  // The numbers 1 to 147 without 44, 102..105, 107, 110, 136, 137 and 146, which CUDA does not define.
  EXPECT_EQ(147 - 10, answered);
  int value = 0;
  EXPECT_EQ(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0));
  EXPECT_EQ(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1000));
  (void)cudaGetLastError();
}

TEST(Device, Limits) {
  size_t value = 0;
  ASSERT_EQ(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(cohort_device_get(0)->stack_bytes, value);
  EXPECT_EQ(cudaSuccess, cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20));
  ASSERT_EQ(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(size_t{1} << 20, value);
  EXPECT_EQ(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, SIZE_MAX));
  EXPECT_EQ(cudaSuccess, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 123456));
  ASSERT_EQ(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  EXPECT_EQ(123456u, value);
  EXPECT_EQ(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 1));
  EXPECT_EQ(cudaSuccess, cudaDeviceReset());
  ASSERT_EQ(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(cohort_device_get(0)->stack_bytes, value);
  (void)cudaGetLastError();
}

TEST(Device, PeersAndBusIds) {
  int can = -1;
  EXPECT_EQ(cudaSuccess, cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT_EQ(0, can);
  EXPECT_EQ(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 1000));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  char id[16];
  int device = -1;
  ASSERT_EQ(cudaSuccess, cudaDeviceGetPCIBusId(id, sizeof id, 0));
  EXPECT_STREQ("0000:00:00.0", id);
  EXPECT_EQ(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(id, 5, 0));
  EXPECT_EQ(cudaSuccess, cudaDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(0, device);
  EXPECT_EQ(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:3b:00.0"));
  EXPECT_EQ(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&device, "nonsense"));
  (void)cudaGetLastError();
}

TEST(Device, FlagsAndVersions) {
  unsigned flags = 0;
  EXPECT_EQ(cudaSuccess, cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  EXPECT_EQ(cudaSuccess, cudaGetDeviceFlags(&flags));
  EXPECT_TRUE(flags & cudaDeviceScheduleBlockingSync);
  EXPECT_EQ(cudaErrorInvalidValue, cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
  EXPECT_EQ(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000));
  int version = 0;
  EXPECT_EQ(cudaSuccess, cudaRuntimeGetVersion(&version));
  EXPECT_EQ(13000, version);
  EXPECT_EQ(cudaSuccess, cudaDriverGetVersion(&version));
  EXPECT_EQ(13000, version);
  EXPECT_EQ(cudaSuccess, cudaProfilerStart());
  EXPECT_EQ(cudaSuccess, cudaProfilerStop());
  (void)cudaGetLastError();
}

TEST(Device, BadVariableEndsWithASentence) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto with = [](const char* name, const char* value) {
    setenv(name, value, 1);
    int count = 0;
    cudaGetDeviceCount(&count);
    std::exit(0);
  };
  EXPECT_EXIT(with("COHORT_SMS", "many"), testing::ExitedWithCode(2), "COHORT_SMS=many is not valid");
  EXPECT_EXIT(with("COHORT_MEMORY", "-1"), testing::ExitedWithCode(2),
              "COHORT_MEMORY=-1 is not valid: expected a whole number of at least 1048576 \\(1 MiB\\)");
}

TEST(Error, NamesAndTexts) {
  EXPECT_STREQ("cudaSuccess", cudaGetErrorName(cudaSuccess));
  EXPECT_STREQ("no error", cudaGetErrorString(cudaSuccess));
  EXPECT_STREQ("invalid argument", cudaGetErrorString(cudaErrorInvalidValue));
  EXPECT_STREQ("out of memory", cudaGetErrorString(cudaErrorMemoryAllocation));
  EXPECT_STREQ("unspecified launch failure", cudaGetErrorString(cudaErrorLaunchFailure));
  EXPECT_STREQ("an illegal memory access was encountered", cudaGetErrorString(cudaErrorIllegalAddress));
  EXPECT_STREQ("too many blocks in cooperative launch", cudaGetErrorString(cudaErrorCooperativeLaunchTooLarge));
  EXPECT_STREQ("invalid configuration argument", cudaGetErrorString(cudaErrorInvalidConfiguration));
  EXPECT_STREQ("device-side assert triggered", cudaGetErrorString(cudaErrorAssert));
  EXPECT_STREQ("cudaErrorNotReady", cudaGetErrorName(cudaErrorNotReady));
  EXPECT_STREQ("unrecognized error code", cudaGetErrorString(static_cast<cudaError_t>(12345)));
  EXPECT_STREQ("unrecognized error code", cudaGetErrorName(static_cast<cudaError_t>(-1)));
}

TEST(Error, NumbersAreCudas) {
  EXPECT_EQ(9, cudaErrorInvalidConfiguration);
  EXPECT_EQ(21, cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(98, cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(400, cudaErrorInvalidResourceHandle);
  EXPECT_EQ(600, cudaErrorNotReady);
  EXPECT_EQ(719, cudaErrorLaunchFailure);
  EXPECT_EQ(720, cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(801, cudaErrorNotSupported);
  EXPECT_EQ(912, cudaErrorInvalidClusterSize);
  EXPECT_EQ(999, cudaErrorUnknown);
}

}  // namespace
