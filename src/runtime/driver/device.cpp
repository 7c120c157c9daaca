// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, their limits and their peers in the driver API.
#include <cstdio>
#include <cstring>
#include <optional>

#include "cudaProfiler.h"
#include "runtime/device/device_properties.hpp"
#include "runtime/driver/call.hpp"
#include "runtime/state/cuda_version.hpp"

namespace cohort::runtime {

namespace {

static_assert(static_cast<int>(CU_DEVICE_ATTRIBUTE_MAX) == static_cast<int>(cudaDevAttrMax));

// The value of an attribute that has a name only in the driver API; nothing for other attributes.
std::optional<int> find_driver_only(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
      return known_properties(0).major >= 9 ? 1 : 0;
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
      return 1;
    // Properties of hardware that a CPU lacks.
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK:
    case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH:
    case CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED:
      return 0;
    default:
      return std::nullopt;
  }
}

CUresult find_peer(CUcontext handle, int* device) {
  context* peer = nullptr;
  if (const CUresult error = find_context(handle, &peer); error != CUDA_SUCCESS) return error;
  *device = peer->device;
  return peer->device == current_context()->device ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuDriverGetVersion(int* version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = cuda_version();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return ready_call([&] { return to_result(cudaGetDeviceCount(count)); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return on_device_call(ordinal, [&] { return device ? (*device = ordinal, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
  return on_device_call(device, [&] {
    if (!name || size <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(name, static_cast<size_t>(size), "%s", cohort_device_get(device)->name);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return on_device_call(device, [&] {
    if (!uuid) return CUDA_ERROR_INVALID_VALUE;
    *uuid = known_properties(device).uuid;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return on_device_call(device, [&] {
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    *bytes = cohort_device_get(device)->memory_bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  const std::optional<int> found = find_driver_only(attribute);
  if (!found) {
    return ready_call(
        [&] { return to_result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device)); });
  }
  return on_device_call(device, [&] { return value ? (*value = *found, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return on_device_call(device, [&] {
    if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
    *major = cohort_device_get(device)->compute_major;
    *minor = cohort_device_get(device)->compute_minor;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetPCIBusId(char* text, int size, CUdevice device) {
  return ready_call([&] { return to_result(cudaDeviceGetPCIBusId(text, size, device)); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return ready_call([&] { return to_result(cudaDeviceGetByPCIBusId(device, text)); });
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return ready_call([&] { return to_result(cudaDeviceCanAccessPeer(can_access, device, peer)); });
}

CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback function, void* data,
                                           CUasyncCallbackHandle* handle) {
  return ready_call([&] {
    return to_result(cudaDeviceRegisterAsyncNotification(device, reinterpret_cast<cudaAsyncCallback>(function), data,
                                                         reinterpret_cast<cudaAsyncCallbackHandle_t*>(handle)));
  });
}

CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle handle) {
  return ready_call([&] {
    return to_result(
        cudaDeviceUnregisterAsyncNotification(device, reinterpret_cast<cudaAsyncCallbackHandle_t>(handle)));
  });
}

CUresult cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                           unsigned int count, CUdevice device) {
  return ready_call([&] {
    return to_result(cudaDeviceGetHostAtomicCapabilities(
        capabilities, reinterpret_cast<const cudaAtomicOperation*>(operations), count, device));
  });
}

CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                          unsigned int count, CUdevice from, CUdevice to) {
  return ready_call([&] {
    return to_result(cudaDeviceGetP2PAtomicCapabilities(
        capabilities, reinterpret_cast<const cudaAtomicOperation*>(operations), count, from, to));
  });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  return ready_call(
      [&] { return to_result(cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to)); });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return on_device_call(device, [&] { return reset_device(device); });
}

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned int flags) {
  return context_call([&] {
    int device = 0;
    const CUresult error = find_peer(handle, &device);
    return error != CUDA_SUCCESS ? error : to_result(cudaDeviceEnablePeerAccess(device, flags));
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext handle) {
  return context_call([&] {
    int device = 0;
    const CUresult error = find_peer(handle, &device);
    return error != CUDA_SUCCESS ? error : to_result(cudaDeviceDisablePeerAccess(device));
  });
}

CUresult cuCtxSynchronize() {
  return runtime_call([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxSynchronize_v2(CUcontext handle) {
  if (!handle) return cuCtxSynchronize();
  if (const CUresult error = cuCtxPushCurrent(handle); error != CUDA_SUCCESS) return error;
  const CUresult synchronized = cuCtxSynchronize();
  CUcontext popped = nullptr;
  const CUresult restored = cuCtxPopCurrent(&popped);
  return synchronized != CUDA_SUCCESS ? synchronized : restored;
}

CUresult cuProfilerInitialize(const char* config_file, const char* output_file, CUoutput_mode mode) {
  return context_call([&] {
    const bool valid = config_file && output_file && (mode == CU_OUT_KEY_VALUE_PAIR || mode == CU_OUT_CSV);
    return valid ? CUDA_ERROR_PROFILER_DISABLED : CUDA_ERROR_INVALID_VALUE;
  });
}

// There is no profiler: the calls have no effect.
CUresult cuProfilerStart() {
  return context_call([] { return CUDA_SUCCESS; });
}

CUresult cuProfilerStop() { return cuProfilerStart(); }

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return runtime_call([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return runtime_call([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return runtime_call([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return runtime_call(
      [&] { return converted<cudaFuncCache>(config, [](cudaFuncCache* c) { return cudaDeviceGetCacheConfig(c); }); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return runtime_call([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return runtime_call([&] {
    return converted<cudaSharedMemConfig>(config,
                                          [](cudaSharedMemConfig* c) { return cudaDeviceGetSharedMemConfig(c); });
  });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return runtime_call([&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}

CUresult cuCtxResetPersistingL2Cache() { return runtime_call(cudaCtxResetPersistingL2Cache); }

CUresult cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType type, CUdevice device) {
  return on_device_call(device, [&] {
    if (!supported || type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX) return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam* affinity, CUexecAffinityType type) {
  return context_call([&] {
    const bool known = affinity && type >= 0 && type < CU_EXEC_AFFINITY_TYPE_MAX;
    return known ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return on_device_call(device, [&] {
    if (!properties) return CUDA_ERROR_INVALID_VALUE;
    cudaDeviceProp p;
    const cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error != cudaSuccess) return to_result(error);
    *properties = {p.maxThreadsPerBlock,
                   {p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]},
                   {p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]},
                   static_cast<int>(p.sharedMemPerBlock),
                   static_cast<int>(p.totalConstMem),
                   p.warpSize,
                   static_cast<int>(p.memPitch),
                   p.regsPerBlock,
                   p.clockRate,
                   static_cast<int>(p.textureAlignment)};
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
