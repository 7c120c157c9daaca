// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution contexts of the runtime API: contexts of the driver API, by its calls. The errors have equal numbers.
#include "runtime/driver/call.hpp"
#include "runtime/stream/device_event.hpp"
#include "runtime/stream/stream_call.hpp"

namespace cohort::runtime {

namespace {

static_assert(sizeof(cudaDevResource) == sizeof(CUdevResource) &&
              offsetof(cudaDevResource, sm) == offsetof(CUdevResource, sm) &&
              sizeof(cudaDevSmResourceGroupParams) == sizeof(CU_DEV_SM_RESOURCE_GROUP_PARAMS) &&
              static_cast<int>(cudaDevResourceTypeSm) == CU_DEV_RESOURCE_TYPE_SM);

CUdevResource* in_driver(cudaDevResource* resource) { return reinterpret_cast<CUdevResource*>(resource); }
const CUdevResource* in_driver(const cudaDevResource* resource) {
  return reinterpret_cast<const CUdevResource*>(resource);
}
CUdevResourceType in_driver(cudaDevResourceType type) { return static_cast<CUdevResourceType>(type); }
CUgreenCtx as_green(cudaExecutionContext_t handle) { return reinterpret_cast<CUgreenCtx>(handle); }

// Runs `body`, which returns an error of the driver API.
template <class Body>
cudaError_t driver_call(Body&& body) noexcept {
  return device_call([&] { return static_cast<cudaError_t>(body()); });
}

// Calls `body(context&)`, which returns an error of the driver API.
template <class Body>
cudaError_t execution_call(cudaExecutionContext_t handle, Body&& body) noexcept {
  return driver_call([&]() -> CUresult {
    context* c = nullptr;
    const CUresult error = handle ? find_context(reinterpret_cast<CUcontext>(handle), &c) : CUDA_ERROR_INVALID_CONTEXT;
    if (error == CUDA_ERROR_INVALID_CONTEXT) return CUDA_ERROR_INVALID_VALUE;
    return error != CUDA_SUCCESS ? error : body(*c);
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaDeviceGetDevResource(int device, cudaDevResource* resource, cudaDevResourceType type) {
  return driver_call([&] { return cuDeviceGetDevResource(device, in_driver(resource), in_driver(type)); });
}

cudaError_t cudaDevSmResourceSplitByCount(cudaDevResource* result, unsigned int* count, const cudaDevResource* input,
                                          cudaDevResource* remaining, unsigned int flags, unsigned int least) {
  return driver_call([&] {
    return cuDevSmResourceSplitByCount(in_driver(result), count, in_driver(input), in_driver(remaining), flags, least);
  });
}

cudaError_t cudaDevSmResourceSplit(cudaDevResource* result, unsigned int count, const cudaDevResource* input,
                                   cudaDevResource* remainder, unsigned int flags,
                                   cudaDevSmResourceGroupParams* groups) {
  return driver_call([&] {
    return cuDevSmResourceSplit(in_driver(result), count, in_driver(input), in_driver(remainder), flags,
                                reinterpret_cast<CU_DEV_SM_RESOURCE_GROUP_PARAMS*>(groups));
  });
}

cudaError_t cudaDevResourceGenerateDesc(cudaDevResourceDesc_t* made, cudaDevResource* resources, unsigned int count) {
  return driver_call([&] {
    return cuDevResourceGenerateDesc(reinterpret_cast<CUdevResourceDesc*>(made), in_driver(resources), count);
  });
}

cudaError_t cudaGreenCtxCreate(cudaExecutionContext_t* made, cudaDevResourceDesc_t description, int device,
                               unsigned int flags) {
  return driver_call([&] {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return cuGreenCtxCreate(reinterpret_cast<CUgreenCtx*>(made), reinterpret_cast<CUdevResourceDesc>(description),
                            device, CU_GREEN_CTX_DEFAULT_STREAM);
  });
}

cudaError_t cudaDeviceGetExecutionCtx(cudaExecutionContext_t* found, int device) {
  return driver_call([&] {
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    *found = reinterpret_cast<cudaExecutionContext_t>(&primary_context(device));
    return CUDA_SUCCESS;
  });
}

cudaError_t cudaExecutionCtxDestroy(cudaExecutionContext_t handle) {
  return execution_call(handle,
                        [&](context& c) { return c.green ? destroy_green_context(c) : CUDA_ERROR_INVALID_VALUE; });
}

cudaError_t cudaExecutionCtxGetDevResource(cudaExecutionContext_t handle, cudaDevResource* resource,
                                           cudaDevResourceType type) {
  return execution_call(handle, [&](context& c) {
    return c.green ? cuGreenCtxGetDevResource(as_green(handle), in_driver(resource), in_driver(type))
                   : cuDeviceGetDevResource(c.device, in_driver(resource), in_driver(type));
  });
}

cudaError_t cudaExecutionCtxGetDevice(int* device, cudaExecutionContext_t handle) {
  return execution_call(handle, [&](const context& c) {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = c.device;
    return CUDA_SUCCESS;
  });
}

cudaError_t cudaExecutionCtxGetId(cudaExecutionContext_t handle, unsigned long long* id) {
  return execution_call(handle, [&](const context& c) {
    if (!id) return CUDA_ERROR_INVALID_VALUE;
    *id = c.id;
    return CUDA_SUCCESS;
  });
}

cudaError_t cudaExecutionCtxStreamCreate(cudaStream_t* made, cudaExecutionContext_t handle, unsigned int flags,
                                         int priority) {
  return execution_call(handle, [&](const context& c) -> CUresult {
    if (!made || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking))) return CUDA_ERROR_INVALID_VALUE;
    const device_scope on(c);
    return to_result(cudaStreamCreateWithPriority(made, c.green ? cudaStreamNonBlocking : flags, priority));
  });
}

cudaError_t cudaExecutionCtxSynchronize(cudaExecutionContext_t handle) {
  return execution_call(handle, [&](const context& c) {
    const device_scope on(c.device);
    return to_result(cudaDeviceSynchronize());
  });
}

cudaError_t cudaExecutionCtxRecordEvent(cudaExecutionContext_t handle, cudaEvent_t event) {
  return execution_call(handle, [&](const context& c) { return on_whole_context(c, event, record_on_device); });
}

cudaError_t cudaExecutionCtxWaitEvent(cudaExecutionContext_t handle, cudaEvent_t event) {
  return execution_call(handle, [&](const context& c) { return on_whole_context(c, event, wait_on_device); });
}

cudaError_t cudaStreamGetDevResource(cudaStream_t stream, cudaDevResource* resource, cudaDevResourceType type) {
  return driver_call([&] { return cuStreamGetDevResource(stream, in_driver(resource), in_driver(type)); });
}

}  // extern "C"
