// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVML's queries of devices: the driver's answers. Current contexts and errors of the calling thread stay.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cudart_detail/library/library_call.h>

#include "libraries/nvml/nvml.hpp"

namespace cohort::nvml {
namespace {

// A handle is the address of an element: device d is element d.
constexpr int most_devices = 4096;
std::array<char, most_devices> handles;

nvmlDevice_t handle_of(int device) { return reinterpret_cast<nvmlDevice_t>(&handles[static_cast<size_t>(device)]); }

int count_devices() {
  int count = 0;
  return cuDeviceGetCount(&count) == CUDA_SUCCESS ? std::min(count, most_devices) : 0;
}

// Calls `read(device)` for the device of a handle, after the checks of state, results and handle.
template <class Read, class... Results>
nvmlReturn_t ask(nvmlDevice_t handle, Read read, const Results*... results) {
  const nvmlReturn_t checked = check(results...);
  if (checked != NVML_SUCCESS) return checked;
  CUdevice device;
  return find_device(handle, &device) ? read(device) : NVML_ERROR_INVALID_ARGUMENT;
}

int attribute(CUdevice device, CUdevice_attribute name) {
  int value = 0;
  return cuDeviceGetAttribute(&value, name, device) == CUDA_SUCCESS ? value : 0;
}

// Writes an attribute, divided by `divisor`. NVML_ERROR_NOT_SUPPORTED if it is 0: the device lacks the feature.
nvmlReturn_t write_attribute(CUdevice device, CUdevice_attribute name, unsigned int divisor, unsigned int* value) {
  const int found = attribute(device, name);
  if (found <= 0) return NVML_ERROR_NOT_SUPPORTED;
  *value = static_cast<unsigned int>(found) / divisor;
  return NVML_SUCCESS;
}

std::string uuid_of(CUdevice device) {
  CUuuid uuid{};
  cuDeviceGetUuid(&uuid, device);
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += digits;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

nvmlPciInfo_t pci_of(CUdevice device) {
  nvmlPciInfo_t pci{};
  pci.domain = static_cast<unsigned int>(attribute(device, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID));
  pci.bus = static_cast<unsigned int>(attribute(device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID));
  pci.device = static_cast<unsigned int>(attribute(device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID));
  std::snprintf(pci.busIdLegacy, sizeof pci.busIdLegacy, "%04X:%02X:%02X.0", pci.domain & 0xffff, pci.bus & 0xff,
                pci.device & 0x1f);
  std::snprintf(pci.busId, sizeof pci.busId, "%08X:%02X:%02X.0", pci.domain, pci.bus & 0xff, pci.device & 0x1f);
  return pci;
}

// Reads "[domain:]bus:device.function", numbers in hexadecimal digits.
bool read_bus_id(const char* text, unsigned int* domain, unsigned int* bus, unsigned int* device) {
  unsigned int function;
  int end = 0;
  if (std::sscanf(text, "%x:%x:%x.%x%n", domain, bus, device, &function, &end) == 4 && text[end] == '\0') return true;
  *domain = 0;
  end = 0;
  return std::sscanf(text, "%x:%x.%x%n", bus, device, &function, &end) == 3 && text[end] == '\0';
}

bool are_equal(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

nvmlReturn_t read_memory(CUdevice device, size_t* free, size_t* total) {
  const CUresult error = cuDeviceTotalMem(total, device);
  if (error == CUDA_SUCCESS) *free = *total - cohort_used_device_memory(device);
  return result_of(error);
}

// `read(one, other)` of two handles, after the checks of state, result and handles.
template <class Read, class Result>
nvmlReturn_t ask_pair(nvmlDevice_t first, nvmlDevice_t second, Read read, const Result* result) {
  return ask(
      first,
      [&](CUdevice one) {
        CUdevice other;
        return find_device(second, &other) ? read(one, other) : NVML_ERROR_INVALID_ARGUMENT;
      },
      result);
}

// Writes a value that all pairs of devices share.
template <class Value>
nvmlReturn_t answer_pair(nvmlDevice_t first, nvmlDevice_t second, Value* result, Value value) {
  return ask_pair(
      first, second,
      [&](CUdevice, CUdevice) {
        *result = value;
        return NVML_SUCCESS;
      },
      result);
}

nvmlReturn_t write_clock(nvmlDevice_t device, nvmlClockType_t type, unsigned int* mhz) {
  return ask(
      device,
      [&](CUdevice found) {
        switch (type) {
          case NVML_CLOCK_GRAPHICS:
          case NVML_CLOCK_SM:
            return write_attribute(found, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000, mhz);
          case NVML_CLOCK_MEM:
            return write_attribute(found, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1000, mhz);
          case NVML_CLOCK_VIDEO:
            return NVML_ERROR_NOT_SUPPORTED;
          default:
            return NVML_ERROR_INVALID_ARGUMENT;
        }
      },
      mhz);
}

// Writes a value that all devices share.
template <class Value>
nvmlReturn_t answer(nvmlDevice_t device, Value* result, Value value) {
  return ask(
      device,
      [&](CUdevice) {
        *result = value;
        return NVML_SUCCESS;
      },
      result);
}

nvmlReturn_t refuse(nvmlDevice_t device) {
  return ask(device, [](CUdevice) { return NVML_ERROR_NOT_SUPPORTED; });
}

}  // namespace

bool find_device(nvmlDevice_t handle, CUdevice* device) {
  const auto place = reinterpret_cast<uintptr_t>(handle) - reinterpret_cast<uintptr_t>(handles.data());
  if (place >= static_cast<uintptr_t>(count_devices())) return false;
  *device = static_cast<CUdevice>(place);
  return true;
}

}  // namespace cohort::nvml

using namespace cohort::nvml;

extern "C" {

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  const nvmlReturn_t checked = check(count);
  if (checked != NVML_SUCCESS) return checked;
  *count = static_cast<unsigned int>(count_devices());
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  const nvmlReturn_t checked = check(device);
  if (checked != NVML_SUCCESS) return checked;
  if (index >= static_cast<unsigned int>(count_devices())) return NVML_ERROR_INVALID_ARGUMENT;
  *device = handle_of(static_cast<int>(index));
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  const nvmlReturn_t checked = check(uuid, device);
  if (checked != NVML_SUCCESS) return checked;
  for (int d = 0, count = count_devices(); d < count; ++d) {
    if (are_equal(uuid_of(d), uuid)) return nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned int>(d), device);
  }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device) {
  const nvmlReturn_t checked = check(bus_id, device);
  if (checked != NVML_SUCCESS) return checked;
  unsigned int domain, bus, place;
  if (!read_bus_id(bus_id, &domain, &bus, &place)) return NVML_ERROR_INVALID_ARGUMENT;
  for (int d = 0, count = count_devices(); d < count; ++d) {
    const nvmlPciInfo_t pci = pci_of(d);
    if (pci.domain == domain && pci.bus == bus && pci.device == place)
      return nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned int>(d), device);
  }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  return ask(
      device,
      [&](CUdevice found) {
        *index = static_cast<unsigned int>(found);
        return NVML_SUCCESS;
      },
      index);
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* number) {
  return nvmlDeviceGetIndex(device, number);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return ask(
      device,
      [&](CUdevice found) {
        char text[256];
        const CUresult error = cuDeviceGetName(text, sizeof text, found);
        return error == CUDA_SUCCESS ? write_text(text, name, length) : result_of(error);
      },
      name);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  return ask(device, [&](CUdevice found) { return write_text(uuid_of(found), uuid, length); }, uuid);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return ask(
      device,
      [&](CUdevice found) {
        *pci = pci_of(found);
        return NVML_SUCCESS;
      },
      pci);
}

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* brand) {
  return answer(device, brand, NVML_BRAND_UNKNOWN);
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t* architecture) {
  return ask(
      device,
      [&](CUdevice found) {
        const int major = attribute(found, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        const int minor = attribute(found, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        switch (major) {
          case 7:
            *architecture = minor >= 5 ? NVML_DEVICE_ARCH_TURING : NVML_DEVICE_ARCH_VOLTA;
            break;
          case 8:
            *architecture = minor == 9 ? NVML_DEVICE_ARCH_ADA : NVML_DEVICE_ARCH_AMPERE;
            break;
          case 9:
            *architecture = NVML_DEVICE_ARCH_HOPPER;
            break;
          case 10:
          case 11:
          case 12:
            *architecture = NVML_DEVICE_ARCH_BLACKWELL;
            break;
          default:
            *architecture = NVML_DEVICE_ARCH_UNKNOWN;
        }
        return NVML_SUCCESS;
      },
      architecture);
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  return ask(
      device,
      [&](CUdevice found) {
        *major = attribute(found, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        *minor = attribute(found, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        return NVML_SUCCESS;
      },
      major, minor);
}

nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int* is_multi_gpu) {
  return answer(device, is_multi_gpu, 0u);
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  return ask(
      device,
      [&](CUdevice found) {
        *mode = static_cast<nvmlComputeMode_t>(attribute(found, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE));
        return NVML_SUCCESS;
      },
      mode);
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return answer(device, mode, NVML_FEATURE_ENABLED);
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* mhz) {
  return write_clock(device, type, mhz);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* mhz) {
  return write_clock(device, type, mhz);
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int* bits) {
  return ask(
      device,
      [&](CUdevice found) { return write_attribute(found, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 1, bits); },
      bits);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return ask(
      device,
      [&](CUdevice found) {
        size_t free = 0, total = 0;
        const nvmlReturn_t result = read_memory(found, &free, &total);
        if (result == NVML_SUCCESS) *memory = {total, free, total - free};
        return result;
      },
      memory);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  const nvmlReturn_t checked = check(memory);
  if (checked != NVML_SUCCESS) return checked;
  if (memory->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  nvmlMemory_t found;
  const nvmlReturn_t result = nvmlDeviceGetMemoryInfo(device, &found);
  if (result == NVML_SUCCESS) *memory = {nvmlMemory_v2, found.total, 0, found.free, found.used};
  return result;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                     nvmlProcessInfo_t* processes) {
  nvmlReturn_t result = check(count);
  if (result != NVML_SUCCESS) return result;
  nvmlMemory_t memory;
  result = nvmlDeviceGetMemoryInfo(device, &memory);
  if (result != NVML_SUCCESS) return result;
  const unsigned int room = *count;
  *count = memory.used != 0 ? 1 : 0;
  if (*count > room) return NVML_ERROR_INSUFFICIENT_SIZE;
  if (*count == 0) return NVML_SUCCESS;
  if (!processes) return NVML_ERROR_INVALID_ARGUMENT;
  processes[0] = {static_cast<unsigned int>(getpid()), memory.used, UINT_MAX, UINT_MAX};
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int* count, nvmlProcessInfo_t*) {
  return answer(device, count, 0u);
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* count, nvmlProcessInfo_t*) {
  return answer(device, count, 0u);
}

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t first, nvmlDevice_t second,
                                                 nvmlGpuTopologyLevel_t* level) {
  return answer_pair(first, second, level, NVML_TOPOLOGY_INTERNAL);
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t first, nvmlDevice_t second, nvmlGpuP2PCapsIndex_t capability,
                                    nvmlGpuP2PStatus_t* status) {
  return ask_pair(
      first, second,
      [&](CUdevice one, CUdevice other) {
        if (one == other) return NVML_ERROR_INVALID_ARGUMENT;
        int is_reached = 0;
        switch (capability) {
          case NVML_P2P_CAPS_INDEX_READ:
          case NVML_P2P_CAPS_INDEX_WRITE:
          case NVML_P2P_CAPS_INDEX_ATOMICS:
            cuDeviceCanAccessPeer(&is_reached, one, other);
            break;
          case NVML_P2P_CAPS_INDEX_NVLINK:
          case NVML_P2P_CAPS_INDEX_PCI:
            break;
          default:
            return NVML_ERROR_INVALID_ARGUMENT;
        }
        *status = is_reached ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
        return NVML_SUCCESS;
      },
      status);
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t first, nvmlDevice_t second, int* is_same) {
  return answer_pair(first, second, is_same, 1);
}

nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int size, unsigned long* processors) {
  return ask(
      device,
      [&](CUdevice) {
        if (size == 0) return NVML_ERROR_INVALID_ARGUMENT;
        cpu_set_t set;
        CPU_ZERO(&set);
        if (sched_getaffinity(0, sizeof set, &set) != 0) return NVML_ERROR_UNKNOWN;
        std::fill_n(processors, size, 0ul);
        constexpr unsigned int bits = CHAR_BIT * sizeof(unsigned long);
        for (unsigned int cpu = 0; cpu < size * bits && cpu < CPU_SETSIZE; ++cpu)
          if (CPU_ISSET(cpu, &set)) processors[cpu / bits] |= 1ul << cpu % bits;
        return NVML_SUCCESS;
      },
      processors);
}

// No parameter but the device is read.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define COHORT_NVML_REFUSED(name, ...) \
  nvmlReturn_t name(nvmlDevice_t device, __VA_ARGS__) { return refuse(device); }
#define COHORT_NVML_REFUSED_ALONE(name) \
  nvmlReturn_t name(nvmlDevice_t device) { return refuse(device); }
#include <cudart_detail/nvml/refused_calls.inc>
#undef COHORT_NVML_REFUSED
#undef COHORT_NVML_REFUSED_ALONE

}  // extern "C"
