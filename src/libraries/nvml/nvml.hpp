// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count of nvmlInit(), handles and texts, which NVML's functions share.
#pragma once

#include <cuda.h>
#include <nvml.h>

#include <string_view>

namespace cohort::nvml {

bool is_initialized();

// NVML_ERROR_UNINITIALIZED outside of nvmlInit() and nvmlShutdown(). Else NVML_ERROR_INVALID_ARGUMENT if a pointer of a
// result is null.
template <class... Results>
nvmlReturn_t check(const Results*... results) {
  if (!is_initialized()) return NVML_ERROR_UNINITIALIZED;
  return ((results != nullptr) && ...) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

// Finds the device of a handle. False for anything that nvmlDeviceGetHandleBy*() has not returned.
bool find_device(nvmlDevice_t handle, CUdevice* device);

// Writes a text and its end. NVML_ERROR_INSUFFICIENT_SIZE, and nothing written, where `length` is too small.
nvmlReturn_t write_text(std::string_view text, char* to, unsigned int length);

nvmlReturn_t result_of(CUresult error);

}  // namespace cohort::nvml
