// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How every call of the runtime API begins and ends.
#pragma once

#include <new>
#include <system_error>

#include "../device/device_state.hpp"
#include "../stream/scheduler.hpp"
#include "error.hpp"

namespace cohort::runtime {

// For calls that do not touch the device: `body` returns the error.
template <class Body>
cudaError_t host_call(Body&& body) noexcept {
  try {
    return remember(body());
  } catch (const std::bad_alloc&) {
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::system_error&) {
    return remember(cudaErrorOperatingSystem);
  }
}

// For the others: a dead device answers with what killed it, and host functions of a stream may not call.
template <class Body>
cudaError_t device_call(Body&& body) noexcept {
  return host_call([&] {
    if (scheduler::in_host_function()) return cudaErrorNotPermitted;
    touch_device();
    const cudaError_t fatal = current_device().fatal_error.load(std::memory_order_acquire);
    return fatal != cudaSuccess ? fatal : body();
  });
}

}  // namespace cohort::runtime
