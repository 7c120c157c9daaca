// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVML compared with the CUDA runtime's view of the same devices; its errors; functions under older names.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <nvml.h>
#include <sched.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

extern "C" nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t, unsigned int*, nvmlProcessInfo_t*);

namespace {

// The layouts of CUDA 13 on Linux: programs in other languages hold copies of them.
static_assert(sizeof(nvmlPciInfo_t) == 68 && offsetof(nvmlPciInfo_t, busId) == 36);
static_assert(sizeof(nvmlMemory_t) == 24 && sizeof(nvmlMemory_v2_t) == 40 && nvmlMemory_v2 == 0x02000028);
static_assert(sizeof(nvmlProcessInfo_t) == 24 && sizeof(nvmlProcessInfo_v1_t) == 16);

class Nvml : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(nvmlInit(), NVML_SUCCESS); }
  void TearDown() override { EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS); }

  static nvmlDevice_t device(unsigned int index) {
    nvmlDevice_t found = nullptr;
    EXPECT_EQ(nvmlDeviceGetHandleByIndex(index, &found), NVML_SUCCESS);
    return found;
  }
};

TEST(NvmlStart, OtherCallsNeedIt) {
  unsigned int count = 77;
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(count, 77u);
  EXPECT_EQ(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
  ASSERT_EQ(nvmlInit(), NVML_SUCCESS);
  ASSERT_EQ(nvmlInitWithFlags(NVML_INIT_FLAG_NO_GPUS), NVML_SUCCESS);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
  EXPECT_STREQ(nvmlErrorString(NVML_ERROR_UNINITIALIZED), "Uninitialized");
  EXPECT_STREQ(nvmlErrorString(static_cast<nvmlReturn_t>(500)), "Unknown Error");
}

TEST_F(Nvml, DevicesAreThoseOfCuda) {
  int cuda_count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&cuda_count), cudaSuccess);
  unsigned int count = 0;
  ASSERT_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  ASSERT_EQ(count, static_cast<unsigned int>(cuda_count));
  for (unsigned int d = 0; d < count; ++d) {
    cudaDeviceProp properties;
    ASSERT_EQ(cudaGetDeviceProperties(&properties, static_cast<int>(d)), cudaSuccess);
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
    ASSERT_EQ(nvmlDeviceGetName(device(d), name, sizeof name), NVML_SUCCESS);
    EXPECT_STREQ(name, properties.name);
    int major = 0, minor = 0;
    ASSERT_EQ(nvmlDeviceGetCudaComputeCapability(device(d), &major, &minor), NVML_SUCCESS);
    EXPECT_EQ(major, properties.major);
    EXPECT_EQ(minor, properties.minor);
    unsigned int index = 99, number = 99;
    EXPECT_EQ(nvmlDeviceGetIndex(device(d), &index), NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetMinorNumber(device(d), &number), NVML_SUCCESS);
    EXPECT_EQ(index, d);
    EXPECT_EQ(number, d);
    nvmlPciInfo_t pci;
    ASSERT_EQ(nvmlDeviceGetPciInfo(device(d), &pci), NVML_SUCCESS);
    EXPECT_EQ(static_cast<int>(pci.bus), properties.pciBusID);
    EXPECT_EQ(static_cast<int>(pci.device), properties.pciDeviceID);
    EXPECT_EQ(std::string(pci.busId), "0000" + std::string(pci.busIdLegacy));
  }
  nvmlDevice_t none = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByIndex(count, &none), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

TEST_F(Nvml, IdentifiersFindTheirDevice) {
  unsigned int count = 0;
  ASSERT_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  for (unsigned int d = 0; d < count; ++d) {
    char uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
    ASSERT_EQ(nvmlDeviceGetUUID(device(d), uuid, sizeof uuid), NVML_SUCCESS);
    EXPECT_EQ(std::string(uuid).substr(0, 4), "GPU-");
    EXPECT_EQ(std::string(uuid).size(), 40u);
    nvmlDevice_t found = nullptr;
    ASSERT_EQ(nvmlDeviceGetHandleByUUID(uuid, &found), NVML_SUCCESS);
    EXPECT_EQ(found, device(d));
    nvmlPciInfo_t pci;
    ASSERT_EQ(nvmlDeviceGetPciInfo(device(d), &pci), NVML_SUCCESS);
    for (const char* id : {pci.busId, pci.busIdLegacy}) {
      ASSERT_EQ(nvmlDeviceGetHandleByPciBusId(id, &found), NVML_SUCCESS) << id;
      EXPECT_EQ(found, device(d));
    }
    char of_cuda[32];
    ASSERT_EQ(cudaDeviceGetPCIBusId(of_cuda, sizeof of_cuda, static_cast<int>(d)), cudaSuccess);
    ASSERT_EQ(nvmlDeviceGetHandleByPciBusId(of_cuda, &found), NVML_SUCCESS) << of_cuda;
    EXPECT_EQ(found, device(d));
  }
  nvmlDevice_t found = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByUUID("GPU-none", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId("0000:fe:1f.0", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId("0000:fe:1f.0 and more", &found), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId("here", &found), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Nvml, MemoryGrowsWithAllocations) {
  nvmlMemory_t before, after;
  ASSERT_EQ(nvmlDeviceGetMemoryInfo(device(0), &before), NVML_SUCCESS);
  constexpr size_t bytes = 48 << 20;
  void* held = nullptr;
  ASSERT_EQ(cudaMalloc(&held, bytes), cudaSuccess);
  ASSERT_EQ(nvmlDeviceGetMemoryInfo(device(0), &after), NVML_SUCCESS);
  EXPECT_EQ(after.total, before.total);
  EXPECT_GE(after.used, before.used + bytes);
  EXPECT_EQ(after.free + after.used, after.total);

  nvmlMemory_v2_t second = {};
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device(0), &second), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  second.version = nvmlMemory_v2;
  ASSERT_EQ(nvmlDeviceGetMemoryInfo_v2(device(0), &second), NVML_SUCCESS);
  EXPECT_EQ(second.total, after.total);
  EXPECT_EQ(second.used, after.used);
  EXPECT_EQ(second.reserved, 0u);

  unsigned int count = 0;
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses(device(0), &count, nullptr), NVML_ERROR_INSUFFICIENT_SIZE);
  ASSERT_EQ(count, 1u);
  nvmlProcessInfo_t process[3] = {};
  count = 3;
  ASSERT_EQ(nvmlDeviceGetComputeRunningProcesses(device(0), &count, process), NVML_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(process[0].pid, static_cast<unsigned int>(getpid()));
  EXPECT_EQ(process[0].usedGpuMemory, after.used);
  EXPECT_EQ(process[0].gpuInstanceId, UINT_MAX);
  count = 1;
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v2(device(0), &count, process), NVML_SUCCESS);
  count = 3;
  EXPECT_EQ(nvmlDeviceGetGraphicsRunningProcesses(device(0), &count, process), NVML_SUCCESS);
  EXPECT_EQ(count, 0u);
  ASSERT_EQ(cudaFree(held), cudaSuccess);
}

// A query of memory keeps no context alive: a reset still frees the program's memory, and the query does not free later
// memory.
TEST_F(Nvml, AsksAroundAReset) {
  std::thread([] {
    nvmlDevice_t found;
    ASSERT_EQ(nvmlDeviceGetHandleByIndex(0, &found), NVML_SUCCESS);
    nvmlMemory_t memory;
    for (int round = 0; round < 2; ++round) {
      void* held = nullptr;
      ASSERT_EQ(cudaMalloc(&held, 4096), cudaSuccess);
      ASSERT_EQ(nvmlDeviceGetMemoryInfo(found, &memory), NVML_SUCCESS);
      EXPECT_EQ(cudaMemset(held, 1, 4096), cudaSuccess);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    }
  }).join();
}

// A query changes neither the current device nor the current context nor the program's last error.
TEST_F(Nvml, AsksWithoutATrace) {
  std::thread([] {
    nvmlMemory_t memory;
    nvmlDevice_t found;
    ASSERT_EQ(nvmlDeviceGetHandleByIndex(0, &found), NVML_SUCCESS);
    void* none = nullptr;
    EXPECT_NE(cudaMalloc(&none, ~size_t{0} / 2), cudaSuccess);
    ASSERT_EQ(nvmlDeviceGetMemoryInfo(found, &memory), NVML_SUCCESS);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    int current = -1;
    EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
    EXPECT_EQ(current, 0);
  }).join();
}

TEST_F(Nvml, ClocksAndModes) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  int khz = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), cudaSuccess);
  unsigned int mhz = 0;
  const nvmlReturn_t has_clock = khz > 0 ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
  for (const nvmlClockType_t type : {NVML_CLOCK_SM, NVML_CLOCK_GRAPHICS}) {
    ASSERT_EQ(nvmlDeviceGetClockInfo(device(0), type, &mhz), has_clock);
    ASSERT_EQ(nvmlDeviceGetMaxClockInfo(device(0), type, &mhz), has_clock);
    if (khz > 0) {
      EXPECT_EQ(mhz, static_cast<unsigned int>(khz) / 1000);
    }
  }
  EXPECT_EQ(nvmlDeviceGetClockInfo(device(0), NVML_CLOCK_VIDEO, &mhz), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetClockInfo(device(0), static_cast<nvmlClockType_t>(9), &mhz), NVML_ERROR_INVALID_ARGUMENT);
  nvmlComputeMode_t mode = NVML_COMPUTEMODE_PROHIBITED;
  EXPECT_EQ(nvmlDeviceGetComputeMode(device(0), &mode), NVML_SUCCESS);
  EXPECT_EQ(mode, NVML_COMPUTEMODE_DEFAULT);
  nvmlDeviceArchitecture_t architecture = 0;
  EXPECT_EQ(nvmlDeviceGetArchitecture(device(0), &architecture), NVML_SUCCESS);
  if (properties.major == 9) {
    EXPECT_EQ(architecture, static_cast<unsigned int>(NVML_DEVICE_ARCH_HOPPER));
  }
  nvmlEnableState_t persistent = NVML_FEATURE_DISABLED;
  EXPECT_EQ(nvmlDeviceGetPersistenceMode(device(0), &persistent), NVML_SUCCESS);
  EXPECT_EQ(persistent, NVML_FEATURE_ENABLED);
}

TEST_F(Nvml, ProcessorsAreThoseOfTheProcess) {
  unsigned long words[16];
  ASSERT_EQ(nvmlDeviceGetCpuAffinity(device(0), 16, words), NVML_SUCCESS);
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  for (unsigned int cpu = 0; cpu < 1024; ++cpu)
    EXPECT_EQ(words[cpu / 64] >> cpu % 64 & 1, CPU_ISSET(cpu, &set) ? 1u : 0u) << cpu;
  EXPECT_EQ(nvmlDeviceGetCpuAffinity(device(0), 0, words), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Nvml, VersionsAndTexts) {
  char text[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE] = "";
  ASSERT_EQ(nvmlSystemGetDriverVersion(text, sizeof text), NVML_SUCCESS);
  EXPECT_GE(std::atoi(text), 580);
  EXPECT_EQ(nvmlSystemGetNVMLVersion(text, sizeof text), NVML_SUCCESS);
  EXPECT_EQ(std::string(text).substr(0, 3), "13.");
  int version = 0, of_cuda = 1;
  ASSERT_EQ(nvmlSystemGetCudaDriverVersion(&version), NVML_SUCCESS);
  ASSERT_EQ(cudaDriverGetVersion(&of_cuda), cudaSuccess);
  EXPECT_EQ(version, of_cuda);

  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
  ASSERT_EQ(nvmlDeviceGetName(device(0), name, sizeof name), NVML_SUCCESS);
  const auto length = static_cast<unsigned int>(std::string(name).size());
  EXPECT_EQ(nvmlDeviceGetName(device(0), name, length), NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT_EQ(nvmlDeviceGetName(device(0), name, length + 1), NVML_SUCCESS);

  char process[256];
  ASSERT_EQ(nvmlSystemGetProcessName(static_cast<unsigned int>(getpid()), process, sizeof process), NVML_SUCCESS);
  EXPECT_NE(std::string(process).find("libraries_nvml"), std::string::npos);
  ASSERT_EQ(nvmlSystemGetProcessName(static_cast<unsigned int>(getpid()), process, 5), NVML_SUCCESS);
  EXPECT_EQ(std::string(process).size(), 4u);
  EXPECT_EQ(nvmlSystemGetProcessName(0x7ffffff0, process, sizeof process), NVML_ERROR_NOT_FOUND);
}

TEST_F(Nvml, BadArgumentsAndWhatOnlyHardwareHas) {
  unsigned int value = 77;
  unsigned long long wide = 77;
  EXPECT_EQ(nvmlDeviceGetTemperature(device(0), NVML_TEMPERATURE_GPU, &value), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetPowerUsage(device(0), &value), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetTotalEnergyConsumption(device(0), &wide), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceResetGpuLockedClocks(device(0)), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(value, 77u);
  EXPECT_EQ(wide, 77u);
  int local = 0;
  for (nvmlDevice_t wrong : {nvmlDevice_t{}, reinterpret_cast<nvmlDevice_t>(&local)}) {
    EXPECT_EQ(nvmlDeviceGetPowerUsage(wrong, &value), NVML_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nvmlDeviceGetIndex(wrong, &value), NVML_ERROR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(nvmlDeviceGetIndex(device(0), nullptr), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetCount(nullptr), NVML_ERROR_INVALID_ARGUMENT);
}

}  // namespace
