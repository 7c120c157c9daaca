// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that read, reset and return the physical memory of graphs.
#include <cstdint>

#include "runtime/memory/graph/physical_blocks.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

// Calls `body(physical_use&)` under the scheduler's lock.
template <class Body>
cudaError_t with_use(int device, Body&& body) {
  return device_call([&] {
    if (device < 0 || device >= device_count()) return cudaErrorInvalidDevice;
    auto held = scheduler::instance().lock();
    count_use(device);
    return body(use_of(device));
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return with_use(device, [&](const physical_use& use) {
    if (!value) return cudaErrorInvalidValue;
    uint64_t& result = *static_cast<uint64_t*>(value);
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent:
        result = use.used;
        return cudaSuccess;
      case cudaGraphMemAttrUsedMemHigh:
        result = use.used_high;
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemCurrent:
        result = use.reserved;
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemHigh:
        result = use.reserved_high;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return with_use(device, [&](physical_use& use) {
    if (!value || *static_cast<uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaGraphMemAttrUsedMemHigh:
        use.used_high = use.used;
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemHigh:
        use.reserved_high = use.reserved;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return with_use(device, [&](physical_use&) {
    trim_physical_memory(device, [](const physical_block_ref&) { return false; });
    return cudaSuccess;
  });
}

}  // extern "C"
