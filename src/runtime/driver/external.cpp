// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls for external memory and semaphores. The descriptions of both APIs have equal layouts.
#include "runtime/driver/call.hpp"

namespace cohort::runtime {

namespace {

static_assert(sizeof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC) == sizeof(cudaExternalMemoryHandleDesc) &&
              sizeof(CUDA_EXTERNAL_MEMORY_BUFFER_DESC) == sizeof(cudaExternalMemoryBufferDesc) &&
              sizeof(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC) == sizeof(cudaExternalSemaphoreHandleDesc) &&
              sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS) == sizeof(cudaExternalSemaphoreSignalParams) &&
              sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS) == sizeof(cudaExternalSemaphoreWaitParams));

// A type that only the driver API has: a buffer of another device's driver.
bool is_dma_buffer(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* desc) {
  return desc && desc->type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuImportExternalMemory(CUexternalMemory* made, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* desc) {
  return runtime_call([&] {
    if (is_dma_buffer(desc)) return cudaErrorNotSupported;
    return cudaImportExternalMemory(reinterpret_cast<cudaExternalMemory_t*>(made),
                                    reinterpret_cast<const cudaExternalMemoryHandleDesc*>(desc));
  });
}

CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr* address, CUexternalMemory handle,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* desc) {
  return runtime_call([&] {
    void* memory = nullptr;
    const cudaError_t error =
        cudaExternalMemoryGetMappedBuffer(address ? &memory : nullptr, reinterpret_cast<cudaExternalMemory_t>(handle),
                                          reinterpret_cast<const cudaExternalMemoryBufferDesc*>(desc));
    if (error == cudaSuccess) *address = address_of(memory);
    return error;
  });
}

CUresult cuDestroyExternalMemory(CUexternalMemory handle) {
  return runtime_call([&] { return cudaDestroyExternalMemory(reinterpret_cast<cudaExternalMemory_t>(handle)); });
}

CUresult cuImportExternalSemaphore(CUexternalSemaphore* made, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* desc) {
  return runtime_call([&] {
    return cudaImportExternalSemaphore(reinterpret_cast<cudaExternalSemaphore_t*>(made),
                                       reinterpret_cast<const cudaExternalSemaphoreHandleDesc*>(desc));
  });
}

CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* list,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters, unsigned int count,
                                         CUstream stream) {
  return runtime_call([&] {
    return cudaSignalExternalSemaphoresAsync(reinterpret_cast<const cudaExternalSemaphore_t*>(list),
                                             reinterpret_cast<const cudaExternalSemaphoreSignalParams*>(parameters),
                                             count, stream);
  });
}

CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* list,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters, unsigned int count,
                                       CUstream stream) {
  return runtime_call([&] {
    return cudaWaitExternalSemaphoresAsync(reinterpret_cast<const cudaExternalSemaphore_t*>(list),
                                           reinterpret_cast<const cudaExternalSemaphoreWaitParams*>(parameters), count,
                                           stream);
  });
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore handle) {
  return runtime_call([&] { return cudaDestroyExternalSemaphore(reinterpret_cast<cudaExternalSemaphore_t>(handle)); });
}

}  // extern "C"
