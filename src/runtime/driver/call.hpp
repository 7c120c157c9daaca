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

// Logs the error of a call that the program has made. Returns `error`.
CUresult fail_call(CUresult error, const call_in_progress& call) noexcept;

// Runs `body`, which returns a CUresult, after a check that the driver API is initialized. Errors of runtime calls in
// `body` are not kept for cudaGetLastError.
template <class Body>
CUresult ready_call(Body&& body) noexcept {
  const call_in_progress call;
  if (!driver_is_ready()) return fail_call(CUDA_ERROR_NOT_INITIALIZED, call);
  const last_error_guard kept;
  CUresult error = CUDA_SUCCESS;
  try {
    error = body();
  } catch (const std::bad_alloc&) {
    error = CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::system_error&) {
    error = CUDA_ERROR_OPERATING_SYSTEM;
  }
  return error == CUDA_SUCCESS ? error : fail_call(error, call);
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

// Runs `body`, a call of the runtime API, on the device of a context; null means the current context.
template <class Body>
CUresult in_context(CUcontext handle, Body&& body) noexcept {
  return context_call([&]() -> CUresult {
    context* c = current_context();
    const CUresult error = handle ? find_context(handle, &c) : CUDA_SUCCESS;
    if (error != CUDA_SUCCESS) return error;
    const device_scope on(*c);
    return to_result(body());
  });
}

// Calls `body(event, device, part)` for the device of a context, or for the part of it that a green context has.
inline CUresult on_whole_context(const context& c, CUevent event,
                                 cudaError_t (*body)(cudaEvent_t, device_state&, green_context*)) {
  const device_scope on(c);
  return to_result(device_call([&] { return body(event, current_device(), c.green.get()); }));
}

// Calls `body(To*)`, a call of the runtime API that writes a number, and converts the number. Passes a null pointer on.
template <class To, class From, class Body>
cudaError_t converted(From* result, Body&& body) {
  To value{};
  if (result) value = static_cast<To>(*result);
  const cudaError_t error = body(result ? &value : nullptr);
  if (error == cudaSuccess && result) *result = static_cast<From>(value);
  return error;
}

// Runs `body` as ready_call does, for a valid device. Needs no current context.
template <class Body>
CUresult on_device_call(CUdevice device, Body&& body) noexcept {
  return ready_call([&]() -> CUresult { return is_device(device) ? body() : CUDA_ERROR_INVALID_DEVICE; });
}

// The stream of a call whose stream 0 is that of the thread.
inline CUstream own(CUstream stream) { return stream ? stream : CU_STREAM_PER_THREAD; }

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<uintptr_t>(address)); }
inline CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// Runs the `body` of a call for physical memory, which returns a cudaError_t and needs no context, on any thread except
// in a host function of a stream.
template <class Body>
CUresult memory_call(Body&& body) noexcept {
  return ready_call([&] { return scheduler::in_host_function() ? CUDA_ERROR_NOT_PERMITTED : to_result(body()); });
}

// Waits for submitted operations, which may use the memory.
inline cudaError_t wait_for_accesses() {
  if (const cudaError_t error = permit_unsafe_call(); error != cudaSuccess) return error;
  scheduler::instance().wait_for_all_devices();
  return cudaSuccess;
}

}  // namespace cohort::runtime
