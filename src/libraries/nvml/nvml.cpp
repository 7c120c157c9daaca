// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVML's start and end, versions, and names of processes.
#include "libraries/nvml/nvml.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <string>

namespace cohort::nvml {
namespace {

// The branch of the driver that CUDA 13.0 comes with: programs compare it with the least that they need.
constexpr std::string_view driver_version = "580.0";

// Calls of nvmlInit() that nvmlShutdown() has not ended.
std::atomic<unsigned int> uses{0};

}  // namespace

bool is_initialized() { return uses.load(std::memory_order_acquire) != 0; }

nvmlReturn_t write_text(std::string_view text, char* to, unsigned int length) {
  if (text.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  to[text.copy(to, text.size())] = '\0';
  return NVML_SUCCESS;
}

nvmlReturn_t result_of(CUresult error) {
  switch (error) {
    case CUDA_SUCCESS:
      return NVML_SUCCESS;
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_INVALID_DEVICE:
      return NVML_ERROR_INVALID_ARGUMENT;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return NVML_ERROR_MEMORY;
    case CUDA_ERROR_NO_DEVICE:
      return NVML_ERROR_GPU_NOT_FOUND;
    default:
      return NVML_ERROR_UNKNOWN;
  }
}

}  // namespace cohort::nvml

using namespace cohort::nvml;

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  const CUresult error = cuInit(0);
  // Without a device the library starts, and counts none: as NVIDIA's with NVML_INIT_FLAG_NO_GPUS.
  if (error != CUDA_SUCCESS && error != CUDA_ERROR_NO_DEVICE) return NVML_ERROR_DRIVER_NOT_LOADED;
  uses.fetch_add(1, std::memory_order_acq_rel);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlInitWithFlags(unsigned int) { return nvmlInit_v2(); }

nvmlReturn_t nvmlShutdown() {
  for (unsigned int count = uses.load(); count != 0;)
    if (uses.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel)) return NVML_SUCCESS;
  return NVML_ERROR_UNINITIALIZED;
}

const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS:
      return "Success";
    case NVML_ERROR_UNINITIALIZED:
      return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
      return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
      return "Insufficient Permissions";
    case NVML_ERROR_ALREADY_INITIALIZED:
      return "Already Initialized";
    case NVML_ERROR_NOT_FOUND:
      return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "Insufficient Size";
    case NVML_ERROR_INSUFFICIENT_POWER:
      return "Insufficient External Power";
    case NVML_ERROR_DRIVER_NOT_LOADED:
      return "Driver Not Loaded";
    case NVML_ERROR_TIMEOUT:
      return "Timeout";
    case NVML_ERROR_IRQ_ISSUE:
      return "Interrupt Request Issue";
    case NVML_ERROR_LIBRARY_NOT_FOUND:
      return "NVML Shared Library Not Found";
    case NVML_ERROR_FUNCTION_NOT_FOUND:
      return "Function Not Found";
    case NVML_ERROR_CORRUPTED_INFOROM:
      return "Corrupted infoROM";
    case NVML_ERROR_GPU_IS_LOST:
      return "GPU is lost";
    case NVML_ERROR_RESET_REQUIRED:
      return "GPU requires restart";
    case NVML_ERROR_OPERATING_SYSTEM:
      return "The operating system has blocked the request.";
    case NVML_ERROR_LIB_RM_VERSION_MISMATCH:
      return "RM has detected an NVML/RM version mismatch.";
    case NVML_ERROR_IN_USE:
      return "In use by another client";
    case NVML_ERROR_MEMORY:
      return "Insufficient Memory";
    case NVML_ERROR_NO_DATA:
      return "No data";
    case NVML_ERROR_VGPU_ECC_NOT_SUPPORTED:
      return "The requested vgpu operation is not available on target device, because ECC is enabled";
    case NVML_ERROR_INSUFFICIENT_RESOURCES:
      return "Insufficient Resources";
    case NVML_ERROR_FREQ_NOT_SUPPORTED:
      return "Frequency not supported";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
      return "Argument version mismatch";
    case NVML_ERROR_DEPRECATED:
      return "Deprecated";
    case NVML_ERROR_NOT_READY:
      return "Not ready";
    case NVML_ERROR_GPU_NOT_FOUND:
      return "No GPUs were found";
    case NVML_ERROR_INVALID_STATE:
      return "Invalid state";
    case NVML_ERROR_RESET_TYPE_NOT_SUPPORTED:
      return "Reset type not supported";
    case NVML_ERROR_UNKNOWN:
      break;
  }
  return "Unknown Error";
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  const nvmlReturn_t checked = check(version);
  return checked != NVML_SUCCESS ? checked : write_text(driver_version, version, length);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  const nvmlReturn_t checked = check(version);
  if (checked != NVML_SUCCESS) return checked;
  return write_text(NVML_API_VERSION_STR "." + std::string(driver_version), version, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  const nvmlReturn_t checked = check(version);
  return checked != NVML_SUCCESS ? checked : result_of(cuDriverGetVersion(version));
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) { return nvmlSystemGetCudaDriverVersion(version); }

nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char* name, unsigned int length) {
  const nvmlReturn_t checked = check(name);
  if (checked != NVML_SUCCESS) return checked;
  if (length == 0) return NVML_ERROR_INVALID_ARGUMENT;
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::string command;
  if (!file || !std::getline(file, command, '\0')) return NVML_ERROR_NOT_FOUND;
  return write_text(std::string_view(command).substr(0, length - 1), name, length);
}

}  // extern "C"
