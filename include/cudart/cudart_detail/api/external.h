// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and semaphores of other processes and interfaces, by file descriptors. Included by cuda_runtime_api.h only.
// Handle types of other systems return cudaErrorNotSupported.
#pragma once

// Takes ownership of the descriptor. It names memory that cuMemExportToShareableHandle exported, or any file that can
// be mapped, such as one of memfd_create. The memory belongs to the current device.
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t* extMem_out,
                                     const struct cudaExternalMemoryHandleDesc* memHandleDesc);
// Maps a part of the memory; cudaFree unmaps it, before or after the memory is destroyed. `offset` is a multiple of the
// size of a page.
cudaError_t cudaExternalMemoryGetMappedBuffer(void** devPtr, cudaExternalMemory_t extMem,
                                              const struct cudaExternalMemoryBufferDesc* bufferDesc);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem);

// Takes ownership of the descriptor. cudaExternalSemaphoreHandleTypeOpaqueFd: an eventfd, which is a binary semaphore.
// cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd: a file that can be mapped, whose first eight bytes are the value.
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t* extSem_out,
                                        const struct cudaExternalSemaphoreHandleDesc* semHandleDesc);
// A wait for a binary semaphore consumes its signal; a wait for a timeline semaphore ends when the value is at least
// params.fence.value. COHORT_LAUNCH_LIMIT ends a wait with a report. Captures refuse both calls.
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t* extSemArray,
                                              const struct cudaExternalSemaphoreSignalParams* paramsArray,
                                              unsigned int numExtSems, cudaStream_t stream COHORT_DEFAULT(0));
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t* extSemArray,
                                            const struct cudaExternalSemaphoreWaitParams* paramsArray,
                                            unsigned int numExtSems, cudaStream_t stream COHORT_DEFAULT(0));
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem);
