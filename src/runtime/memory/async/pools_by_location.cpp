// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pools of a location and a kind of memory: cudaMemGetDefaultMemPool, cudaMemGetMemPool, cudaMemSetMemPool. Pools
// exist for pinned memory of devices.
#include "runtime/memory/async/pool_table.hpp"

namespace cohort::runtime {

namespace {

cudaError_t check_location(const cudaMemLocation* location, cudaMemAllocationType type) {
  if (!location || (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged)) {
    return cudaErrorInvalidValue;
  }
  switch (location->type) {
    case cudaMemLocationTypeDevice:
      if (location->id < 0 || location->id >= device_count()) return cudaErrorInvalidDevice;
      return type == cudaMemAllocationTypePinned ? cudaSuccess : cudaErrorNotSupported;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
      return cudaErrorNotSupported;
    case cudaMemLocationTypeNone:  // managed memory without a preferred location
      return type == cudaMemAllocationTypeManaged ? cudaErrorNotSupported : cudaErrorInvalidValue;
    default:
      return cudaErrorInvalidValue;
  }
}

// Calls `body(device)` for a location that has pools.
template <class Body>
cudaError_t location_call(const cudaMemLocation* location, cudaMemAllocationType type, Body&& body) {
  const cudaError_t error = device_call([&] { return check_location(location, type); });
  return error != cudaSuccess ? error : body(location->id);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  return location_call(location, type, [&](int device) { return cudaDeviceGetDefaultMemPool(pool, device); });
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  return location_call(location, type, [&](int device) { return cudaDeviceGetMemPool(pool, device); });
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t pool) {
  return location_call(location, type, [&](int device) { return cudaDeviceSetMemPool(device, pool); });
}

}  // extern "C"
