// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notifications that a device sends on its own. CUDA has one kind: the memory of a process exceeds a budget that the
// system has lowered. The memory of a virtual device has no such budget, so the functions are kept and never called.
#include <memory>
#include <vector>

#include "runtime/schedule/api_call.hpp"

struct cudaAsyncCallbackEntry {
  int device;
};

namespace cohort::runtime {

namespace {

// The callbacks that the program has registered. The scheduler's lock guards them. Never destroyed.
std::vector<std::unique_ptr<cudaAsyncCallbackEntry>>& registered() {
  static auto* const all = new std::vector<std::unique_ptr<cudaAsyncCallbackEntry>>;
  return *all;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback function, void*,
                                                cudaAsyncCallbackHandle_t* handle) {
  return host_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if (!function || !handle) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    registered().push_back(std::make_unique<cudaAsyncCallbackEntry>(cudaAsyncCallbackEntry{device}));
    *handle = registered().back().get();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t handle) {
  return host_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    auto held = scheduler::instance().lock();
    const auto is_it = [&](const auto& entry) { return entry.get() == handle && entry->device == device; };
    return std::erase_if(registered(), is_it) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
