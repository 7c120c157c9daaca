// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common begin and end of all calls of the runtime API.
#pragma once

#include <new>
#include <system_error>

#include "runtime/error/error.hpp"
#include "runtime/error/log.hpp"
#include "runtime/schedule/captures.hpp"
#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

// Logs the error of a call that the program has made, and stores it. Returns `error`.
inline cudaError_t fail_call(cudaError_t error, const call_in_progress& call) noexcept {
  if (call.is_outermost() && error != cudaErrorNotReady) log_error(cudaGetErrorName(error), cudaGetErrorString(error));
  return remember(error);
}

// Runs a call that does not touch the device. `body` returns the error, which cudaGetLastError returns later.
template <class Body>
cudaError_t host_call(Body&& body) noexcept {
  const call_in_progress call;
  cudaError_t error = cudaSuccess;
  try {
    error = body();
  } catch (const std::bad_alloc&) {
    error = cudaErrorMemoryAllocation;
  } catch (const std::system_error&) {
    error = cudaErrorOperatingSystem;
  }
  return error == cudaSuccess ? error : fail_call(error, call);
}

// Runs a call that touches the device. Returns the device's fatal error instead, if it has one, and
// cudaErrorNotPermitted within a host function of a stream.
template <class Body>
cudaError_t device_call(Body&& body) noexcept {
  return host_call([&] {
    if (scheduler::in_host_function()) return cudaErrorNotPermitted;
    touch_device();
    const cudaError_t fatal = current_device().fatal_error.load(std::memory_order_acquire);
    return fatal != cudaSuccess ? fatal : body();
  });
}

// Runs a call as device_call does, unless a capture forbids it. For calls that may wait, or that change the device
// outside of all streams.
template <class Body>
cudaError_t unsafe_call(Body&& body) noexcept {
  return device_call([&] {
    const cudaError_t error = permit_unsafe_call();
    return error != cudaSuccess ? error : body();
  });
}

}  // namespace cohort::runtime
