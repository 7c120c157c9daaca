// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls for memory and events of other processes. Handles are those of the runtime API.
#include <bit>

#include "runtime/driver/call.hpp"

using namespace cohort::runtime;

extern "C" {

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr memory) {
  return runtime_call(
      [&] { return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(handle), pointer_of(memory)); });
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* address, CUipcMemHandle handle, unsigned int flags) {
  return runtime_call([&] {
    if (!address) return cudaErrorInvalidValue;
    void* memory = nullptr;
    const cudaError_t error = cudaIpcOpenMemHandle(&memory, std::bit_cast<cudaIpcMemHandle_t>(handle), flags);
    if (error == cudaSuccess) *address = address_of(memory);
    return error;
  });
}

CUresult cuIpcCloseMemHandle(CUdeviceptr memory) {
  return runtime_call([&] { return cudaIpcCloseMemHandle(pointer_of(memory)); });
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return runtime_call([&] { return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t*>(handle), event); });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  return runtime_call([&] { return cudaIpcOpenEventHandle(event, std::bit_cast<cudaIpcEventHandle_t>(handle)); });
}

}  // extern "C"
