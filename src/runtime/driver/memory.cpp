// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory calls of the driver API, by the runtime API's calls. Addresses are integers.
#include "runtime/driver/call.hpp"
#include "runtime/memory/allocation_table.hpp"

namespace cohort::runtime {

namespace {

template <class Allocate>
CUresult allocate(CUdeviceptr* made, size_t bytes, Allocate&& call) {
  return context_call([&] {
    if (!made || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    void* memory = nullptr;
    const cudaError_t error = call(&memory);
    if (error == cudaSuccess) *made = address_of(memory);
    return to_result(error);
  });
}

CUresult copy_between(CUdeviceptr to, CUcontext to_handle, CUdeviceptr from, CUcontext from_handle, size_t bytes,
                      CUstream stream) {
  return context_call([&] {
    context *to_context = nullptr, *from_context = nullptr;
    CUresult error = find_context(to_handle, &to_context);
    if (error == CUDA_SUCCESS) error = find_context(from_handle, &from_context);
    if (error != CUDA_SUCCESS) return error;
    return to_result(
        cudaMemcpyPeerAsync(pointer_of(to), to_context->device, pointer_of(from), from_context->device, bytes, stream));
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* made, size_t bytes) {
  return allocate(made, bytes, [&](void** memory) { return cudaMalloc(memory, bytes); });
}

CUresult cuMemAllocPitch(CUdeviceptr* made, size_t* pitch, size_t width, size_t height, unsigned int element_bytes) {
  if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) return CUDA_ERROR_INVALID_VALUE;
  return allocate(made, width && height, [&](void** memory) { return cudaMallocPitch(memory, pitch, width, height); });
}

CUresult cuMemAllocManaged(CUdeviceptr* made, size_t bytes, unsigned int flags) {
  return allocate(made, bytes, [&](void** memory) { return cudaMallocManaged(memory, bytes, flags); });
}

CUresult cuMemAllocAsync(CUdeviceptr* made, size_t bytes, CUstream stream) {
  return allocate(made, bytes, [&](void** memory) { return cudaMallocAsync(memory, bytes, stream); });
}

CUresult cuMemFree(CUdeviceptr memory) {
  return runtime_call([&] { return cudaFree(pointer_of(memory)); });
}

CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  return runtime_call([&] { return cudaFreeAsync(pointer_of(memory), stream); });
}

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return runtime_call([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return context_call([&] {
    allocation known;
    if (!allocation_table::instance().find(pointer_of(address), &known)) return CUDA_ERROR_NOT_FOUND;
    if (base) *base = address_of(known.base);
    if (bytes) *bytes = known.bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostAlloc(void** made, size_t bytes, unsigned int flags) {
  return runtime_call([&] { return bytes == 0 ? cudaErrorInvalidValue : cudaHostAlloc(made, bytes, flags); });
}

CUresult cuMemAllocHost(void** made, size_t bytes) { return cuMemHostAlloc(made, bytes, 0); }

CUresult cuMemFreeHost(void* memory) {
  return runtime_call([&] { return cudaFreeHost(memory); });
}

CUresult cuMemHostRegister(void* memory, size_t bytes, unsigned int flags) {
  return runtime_call([&] { return cudaHostRegister(memory, bytes, flags); });
}

CUresult cuMemHostUnregister(void* memory) {
  return runtime_call([&] { return cudaHostUnregister(memory); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* memory, unsigned int flags) {
  return allocate(address, 1, [&](void** found) { return cudaHostGetDevicePointer(found, memory, flags); });
}

CUresult cuMemHostGetFlags(unsigned int* flags, void* memory) {
  return runtime_call([&] { return cudaHostGetFlags(flags, memory); });
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return runtime_call(
      [&] { return cudaMemcpyAsync(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, stream); });
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return runtime_call([&] { return cudaMemcpyAsync(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return runtime_call([&] { return cudaMemcpyAsync(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, stream); });
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return runtime_call(
      [&] { return cudaMemcpyAsync(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice, stream); });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return runtime_call([&] { return cudaMemcpy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault); });
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return runtime_call([&] { return cudaMemcpy(pointer_of(to), from, bytes, cudaMemcpyHostToDevice); });
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return runtime_call([&] { return cudaMemcpy(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost); });
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return runtime_call([&] { return cudaMemcpy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes) {
  return copy_between(to, to_context, from, from_context, bytes, CU_STREAM_LEGACY);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream) {
  return copy_between(to, to_context, from, from_context, bytes, stream);
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attributes, size_t* first, size_t attribute_count, CUstream stream) {
  return runtime_call([&] {
    return cudaMemcpyBatchAsync(reinterpret_cast<void**>(to), reinterpret_cast<void**>(from), sizes, count,
                                reinterpret_cast<cudaMemcpyAttributes*>(attributes), first, attribute_count, stream);
  });
}

CUresult cuMemcpyWithAttributesAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUmemcpyAttributes* attributes,
                                     CUstream stream) {
  return runtime_call([&] {
    return cudaMemcpyWithAttributesAsync(pointer_of(to), pointer_of(from), bytes,
                                         reinterpret_cast<cudaMemcpyAttributes*>(attributes), stream);
  });
}

CUresult cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* copy, unsigned long long flags, CUstream stream) {
  return runtime_call(
      [&] { return cudaMemcpy3DWithAttributesAsync(reinterpret_cast<cudaMemcpy3DBatchOp*>(copy), flags, stream); });
}

CUresult cuMemGetLocationInfo(CUdeviceptr memory, size_t bytes, size_t region, size_t sampling,
                              CUmemLocation* locations) {
  return runtime_call([&] {
    return cudaMemGetLocationInfo(pointer_of(memory), bytes, region, sampling,
                                  reinterpret_cast<cudaMemLocation*>(locations));
  });
}

CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* list, unsigned long long flags,
                                 CUstream stream) {
  return runtime_call(
      [&] { return cudaMemcpy3DBatchAsync(count, reinterpret_cast<cudaMemcpy3DBatchOp*>(list), flags, stream); });
}

}  // extern "C"
