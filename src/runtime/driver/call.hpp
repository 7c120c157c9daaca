// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common begin and end of all calls of the driver API. Most of them call the runtime API.
#pragma once

#include <new>
#include <system_error>

#include "runtime/driver/context.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

// Converts an error of the runtime API to the driver API. Most numbers are equal.
CUresult to_result(cudaError_t error);

// Runs `body`, which returns a CUresult, after a check that the driver API is initialized. Errors of runtime calls in
// `body` are not kept for cudaGetLastError.
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

// Runs `body` as ready_call does, if the thread has a current context.
template <class Body>
CUresult context_call(Body&& body) noexcept {
  return ready_call([&]() -> CUresult {
    const context* current = current_context();
    if (!current) return CUDA_ERROR_INVALID_CONTEXT;
    return current->destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : body();
  });
}

// Runs `body`, a call of the runtime API, in the current context.
template <class Body>
CUresult runtime_call(Body&& body) noexcept {
  return context_call([&] { return to_result(body()); });
}

// Runs `body` as ready_call does, for a valid device. Needs no current context.
template <class Body>
CUresult on_device_call(CUdevice device, Body&& body) noexcept {
  return ready_call([&]() -> CUresult { return is_device(device) ? body() : CUDA_ERROR_INVALID_DEVICE; });
}

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<uintptr_t>(address)); }
inline CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace cohort::runtime
