// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of other processes: cudaIpcGetEventHandle, cudaIpcOpenEventHandle.
#include <bit>

#include "runtime/schedule/api_call.hpp"
#include "runtime/stream/shared_mark.hpp"

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return device_call([&] {
    if (!handle) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    const struct event* const e = find_event(event);
    // An opened event has no handle, as on an H100.
    if (!e || !e->shared || !e->shared->is_own()) return cudaErrorInvalidResourceHandle;
    *handle = std::bit_cast<cudaIpcEventHandle_t>(e->shared->handle());
    return cudaSuccess;
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* opened, cudaIpcEventHandle_t handle) {
  return device_call([&] {
    if (!opened) return cudaErrorInvalidValue;
    const auto wanted = std::bit_cast<ipc_handle>(handle);
    if (wanted.kind == ipc_kind::event && wanted.owner() == this_process()) return cudaErrorDeviceUninitialized;
    auto shared = shared_event::open(wanted);
    if (!shared) return cudaErrorMapBufferObjectFailed;
    auto fresh = std::make_unique<struct event>();
    fresh->device = &current_device();
    fresh->flags = cudaEventDisableTiming | cudaEventInterprocess;
    fresh->shared = std::move(shared);
    auto held = scheduler::instance().lock();
    *opened = add_event(std::move(fresh));
    return cudaSuccess;
  });
}

}  // extern "C"
