// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits and cache preferences of a device.
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t least_stack = size_t{256} << 10;  // the minimum of the engine
constexpr size_t most_stack = size_t{1} << 30;

bool is_cache_config(cudaFuncCache config) {
  return config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
}

cudaError_t set_stack(device_state& device, size_t bytes) {
  if (bytes > most_stack) return cudaErrorInvalidValue;
  {
    auto held = scheduler::instance().lock();
    device.stack_limit = bytes < least_stack ? least_stack : bytes;
  }
  cohort_set_stack_bytes(device.index, bytes);
  return cudaSuccess;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return device_call([&] {
    device_state& device = current_device();
    if (limit == cudaLimitStackSize) return set_stack(device, value);
    auto held = scheduler::instance().lock();
    switch (limit) {
      // The process's stdout and the heap of kernels have no limit: the values are stored only.
      case cudaLimitPrintfFifoSize:
        device.printf_limit = value;
        return cudaSuccess;
      case cudaLimitMallocHeapSize:
        device.heap_limit = value;
        return cudaSuccess;
      case cudaLimitDevRuntimePendingLaunchCount:
        device.pending_launch_limit = value;
        return cudaSuccess;
      default:
        return cudaErrorUnsupportedLimit;
    }
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return device_call([&] {
    if (!value) return cudaErrorInvalidValue;
    device_state& device = current_device();
    auto held = scheduler::instance().lock();
    switch (limit) {
      case cudaLimitStackSize:
        *value = device.stack_limit;
        return cudaSuccess;
      case cudaLimitPrintfFifoSize:
        *value = device.printf_limit;
        return cudaSuccess;
      case cudaLimitMallocHeapSize:
        *value = device.heap_limit;
        return cudaSuccess;
      case cudaLimitDevRuntimePendingLaunchCount:
        *value = device.pending_launch_limit;
        return cudaSuccess;
      default:
        return cudaErrorUnsupportedLimit;
    }
  });
}

// The caches of a CPU cannot be divided: a valid preference has no effect, as on GPUs with fixed cache sizes.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return device_call([&] { return is_cache_config(config) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return device_call([&] { return config ? (*config = cudaFuncCachePreferNone, cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return device_call([&] {
    const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return device_call(
      [&] { return config ? (*config = cudaSharedMemBankSizeFourByte, cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return device_call([] { return cudaSuccess; });
}

}  // extern "C"
