// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "../test_module.hpp"

namespace {

template <int Value>
void store(void** arguments) {
  test::argument<int*>(arguments, 0)[test::global_index()] = Value;
}

int run_stub(const void* stub) {
  int* out = nullptr;
  EXPECT_EQ(cudaSuccess, cudaMallocManaged(&out, sizeof(int)));
  *out = -1;
  void* pointers[] = {&out};
  EXPECT_EQ(cudaSuccess, cudaLaunchKernel(stub, 1, 1, pointers, 0, nullptr));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  const int result = *out;
  EXPECT_EQ(cudaSuccess, cudaFree(out));
  return result;
}

TEST(Registration, KernelsOfOneNameBelongToTheirTranslationUnits) {
  static char stub_a, stub_b;
  auto& a = *new test::module("same-name-a");
  auto& b = *new test::module("same-name-b");
  a.add_kernel("_ZL4kernPi", store<1>, {8});
  b.add_kernel("_ZL4kernPi", store<2>, {8});
  // Host and device objects may register in any order.
  b.register_host();
  b.register_stub(&stub_b, "_ZL4kernPi");
  a.register_device();
  b.register_device();
  a.register_host();
  a.register_stub(&stub_a, "_ZL4kernPi");
  EXPECT_EQ(1, run_stub(&stub_a));
  EXPECT_EQ(2, run_stub(&stub_b));
}

TEST(Registration, HostObjectWithoutDeviceObjectIsNamed) {
  static char stub;
  static auto& m = *new test::module("no-device-part");  // never destroyed, and this is the only pointer to it
  m.register_host();
  m.register_stub(&stub, "lonely_kernel");
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&stub, 1, 1, nullptr, 0, nullptr));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("kernel lonely_kernel has a host object but no device object")) << said;
  EXPECT_NE(std::string::npos, said.find("no-device-part")) << said;
  EXPECT_EQ(cudaErrorNoKernelImageForDevice, cudaGetLastError());
}

TEST(Registration, KernelMissingInItsDeviceObjectIsNamed) {
  static char stub;
  auto& m = *new test::module("stale");
  m.add_kernel("new_kernel", store<1>, {8});
  m.register_device();
  m.register_host();
  m.register_stub(&stub, "old_kernel");
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&stub, 1, 1, nullptr, 0, nullptr));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("\"stale\" has no kernel old_kernel")) << said;
}

TEST(Registration, DeviceObjectWithoutHostObjectIsNamed) {
  static char stub;
  auto& m = *new test::module("no-host-part");
  m.add_kernel("k", store<1>, {8});
  m.register_device();
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaLaunchKernel(&stub, 1, 1, nullptr, 0, nullptr));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("module \"no-host-part\" has a device object but no host object")) << said;
}

TEST(Registration, OtherLayoutIsRefused) {
  static const cohort_module future = [] {
    cohort_module m{};
    m.abi = 99;
    m.id = "from-the-future";
    return m;
  }();
  testing::internal::CaptureStderr();
  cohort_register_module(&future);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("\"from-the-future\" was compiled for version 99")) << said;
}

TEST(Registration, OtherVersionIsRefused) {
  static const cohort_module newer = [] {
    cohort_module m{};
    m.abi = cohort_module_abi;
    m.version = 120304;
    m.id = "newer";
    return m;
  }();
  testing::internal::CaptureStderr();
  cohort_register_module(&newer);
  const std::string text = testing::internal::GetCapturedStderr();
  const std::string own = std::to_string(COHORT_VERSION / 10000) + '.' + std::to_string(COHORT_VERSION / 100 % 100) +
                          '.' + std::to_string(COHORT_VERSION % 100);
  EXPECT_EQ("cohort: module \"newer\" was compiled by cohortcc 12.3.4, this library is of Cohort " + own +
                ": compile it again with the cohortcc of this library\n",
            text);
}

#if defined(__x86_64__)
// No CPU has had xop since 2017, and none has both it and AVX-512.
TEST(Registration, KernelsOfAnotherCpuAreRefused) {
  static char stub, other;
  const char* const features[] = {"+avx512f,+cx8,+fma4,-gfni,+xop", "+cx8,-xop,-avx512f,+sse3,+unheard"};
  const char* ids[] = {"foreign", "own"};
  const void* const stubs[] = {&stub, &other};
  for (int i = 0; i < 2; ++i) {
    auto& m = *new test::module(ids[i]);
    m.add_kernel("k", store<7>, {8});
    m.set_cpu_features(features[i]);
    m.register_device();
    m.register_host();
    m.register_stub(stubs[i], "k");
  }
  int value = 0;
  int* p = &value;
  void* arguments[] = {&p};
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&stub, dim3(1), dim3(1), arguments, 0, nullptr));
  EXPECT_EQ(cudaErrorNoKernelImageForDevice, cudaGetLastError());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("kernel k is compiled for another CPU (): this one lacks ")) << said;
  EXPECT_NE(std::string::npos, said.find("xop; compile it with cohortcc on this machine")) << said;
  EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&other, dim3(1), dim3(1), arguments, 0, nullptr));
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(7, value);
}
#endif

TEST(Registration, ForeignFatBinaryIsRefused) {
  test::fat_binary foreign;
  foreign.magic = 42;
  testing::internal::CaptureStderr();
  __cudaRegisterFatBinary(&foreign);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("compile it with cohortcc")) << said;
}

TEST(Registration, UnregisteredModuleIsGone) {
  static char stub;
  auto& m = *new test::module("unloaded");
  m.add_kernel("k", store<7>, {8});
  m.register_device();
  m.register_host();
  m.register_stub(&stub, "k");
  EXPECT_EQ(7, run_stub(&stub));
  __cudaUnregisterFatBinary(m.handle());
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaLaunchKernel(&stub, 1, 1, nullptr, 0, nullptr));
  (void)cudaGetLastError();
}

}  // namespace
