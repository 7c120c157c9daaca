// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools of the driver API, by the runtime API's calls.
#include <bit>
#include <vector>

#include "runtime/driver/call.hpp"

namespace cohort::runtime {

namespace {

cudaMemLocation to_runtime(const CUmemLocation& place) { return std::bit_cast<cudaMemLocation>(place); }

// Converts a driver call's location and kind of memory to the runtime's types, and calls `body(location, type)`.
template <class Body>
CUresult location_call(const CUmemLocation* place, CUmemAllocationType type, Body&& body) noexcept {
  return runtime_call([&] {
    if (!place) return cudaErrorInvalidValue;
    cudaMemLocation same = to_runtime(*place);
    return body(&same, static_cast<cudaMemAllocationType>(type));
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return runtime_call([&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return runtime_call([&] { return cudaDeviceGetMemPool(pool, device); });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return runtime_call([&] { return cudaDeviceSetMemPool(device, pool); });
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* place, CUmemAllocationType type) {
  return location_call(place, type, [&](auto* same, auto kind) { return cudaMemGetDefaultMemPool(pool, same, kind); });
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* place, CUmemAllocationType type) {
  return location_call(place, type, [&](auto* same, auto kind) { return cudaMemGetMemPool(pool, same, kind); });
}

CUresult cuMemSetMemPool(CUmemLocation* place, CUmemAllocationType type, CUmemoryPool pool) {
  return location_call(place, type, [&](auto* same, auto kind) { return cudaMemSetMemPool(same, kind, pool); });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return runtime_call([&] {
    if (!properties) return cudaErrorInvalidValue;
    const auto same = std::bit_cast<cudaMemPoolProps>(*properties);
    return cudaMemPoolCreate(pool, &same);
  });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return runtime_call([&] { return cudaMemPoolDestroy(pool); });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep) {
  return runtime_call([&] { return cudaMemPoolTrimTo(pool, bytes_to_keep); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return runtime_call([&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return runtime_call([&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* rights, size_t count) {
  return runtime_call([&] {
    if (!rights) return cudaMemPoolSetAccess(pool, nullptr, count);
    std::vector<cudaMemAccessDesc> same(count);
    for (size_t i = 0; i < count; ++i) same[i] = std::bit_cast<cudaMemAccessDesc>(rights[i]);
    return cudaMemPoolSetAccess(pool, same.data(), count);
  });
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* place) {
  return runtime_call([&] {
    if (!flags || !place) return cudaErrorInvalidValue;
    cudaMemLocation same = to_runtime(*place);
    cudaMemAccessFlags found{};
    const cudaError_t error = cudaMemPoolGetAccess(&found, pool, &same);
    if (error == cudaSuccess) *flags = static_cast<CUmemAccess_flags>(found);
    return error;
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* made, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return runtime_call([&] {
    if (!made || bytes == 0) return cudaErrorInvalidValue;
    void* memory = nullptr;
    const cudaError_t error = cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
    if (error == cudaSuccess) *made = address_of(memory);
    return error;
  });
}

CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  return runtime_call([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    return cudaMemPoolExportToShareableHandle(handle, pool, static_cast<cudaMemAllocationHandleType>(type), 0);
  });
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  return runtime_call([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    return cudaMemPoolImportFromShareableHandle(pool, handle, static_cast<cudaMemAllocationHandleType>(type), 0);
  });
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr memory) {
  return runtime_call([&] {
    if (!data) return cudaErrorInvalidValue;
    cudaMemPoolPtrExportData same{};
    const cudaError_t error = cudaMemPoolExportPointer(&same, pointer_of(memory));
    if (error == cudaSuccess) *data = std::bit_cast<CUmemPoolPtrExportData>(same);
    return error;
  });
}

CUresult cuMemPoolImportPointer(CUdeviceptr* made, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
  return runtime_call([&] {
    if (!made || !data) return cudaErrorInvalidValue;
    auto same = std::bit_cast<cudaMemPoolPtrExportData>(*data);
    void* memory = nullptr;
    const cudaError_t error = cudaMemPoolImportPointer(&memory, pool, &same);
    if (error == cudaSuccess) *made = address_of(memory);
    return error;
  });
}

}  // extern "C"
