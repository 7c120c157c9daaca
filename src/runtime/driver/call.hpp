// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How every call of the driver API begins and ends: most of them do their work through a call of the runtime.
#pragma once

#include <new>
#include <system_error>

#include "../device/device_state.hpp"
#include "../error/api_call.hpp"
#include "context.hpp"

namespace cohort::runtime {

// The driver's number for an error of the runtime. Most are the same.
CUresult to_result(cudaError_t error);

inline bool is_device(CUdevice device) { return device >= 0 && device < device_count(); }

// `body` returns a CUresult. What the runtime's calls in it keep for cudaGetLastError is forgotten again.
template <class Body>
CUresult ready_call(Body&& body) noexcept {
  if (!driver_is_ready()) return CUDA_ERROR_NOT_INITIALIZED;
  const last_error_guard kept;
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::system_error&) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
}

// The same for calls that need a current context.
template <class Body>
CUresult context_call(Body&& body) noexcept {
  return ready_call([&]() -> CUresult {
    const context* current = current_context();
    if (!current) return CUDA_ERROR_INVALID_CONTEXT;
    return current->destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : body();
  });
}

// One call of the runtime, in the current context.
template <class Body>
CUresult runtime_call(Body&& body) noexcept {
  return context_call([&] { return to_result(body()); });
}

// For calls about a device that need no context.
template <class Body>
CUresult on_device_call(CUdevice device, Body&& body) noexcept {
  return ready_call([&]() -> CUresult { return is_device(device) ? body() : CUDA_ERROR_INVALID_DEVICE; });
}

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<uintptr_t>(address)); }
inline CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace cohort::runtime
