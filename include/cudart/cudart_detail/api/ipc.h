// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events that several processes of one user share. Included by cuda_runtime_api.h only.
#pragma once

// A handle may travel to the other process in any way: a pipe, a file, a message. It names the allocation that contains
// `devPtr`, which must come from cudaMalloc, and opening it returns the start of that allocation.
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr);
// A second open of a handle returns the same pointer. `flags` is cudaIpcMemLazyEnablePeerAccess. A process cannot open
// its own handle: cudaErrorDeviceUninitialized. cudaErrorNotPermitted: the memory was freed.
// cudaErrorInvalidResourceHandle: the process has ended.
cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle, unsigned int flags);
// Each open needs a close; the last one waits for all devices and unmaps the memory.
cudaError_t cudaIpcCloseMemHandle(void* devPtr);
// Pools with cudaMemHandleTypePosixFileDescriptor. The export writes a new file descriptor (int), which the program
// closes; the import takes the descriptor itself, which stays the program's.
cudaError_t cudaMemPoolExportToShareableHandle(void* shareableHandle, cudaMemPool_t memPool,
                                               enum cudaMemAllocationHandleType handleType, unsigned int flags);
// The process cannot allocate from the pool that it imports: cudaErrorInvalidValue.
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* memPool, void* shareableHandle,
                                                 enum cudaMemAllocationHandleType handleType, unsigned int flags);
// `ptr` is the start of an allocation. The data may travel in any way.
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData* exportData, void* ptr);
// cudaFree or cudaFreeAsync ends the import; the exporter frees its memory later. cudaErrorInvalidValue for data of
// another pool, and for memory that was freed.
cudaError_t cudaMemPoolImportPointer(void** ptr, cudaMemPool_t memPool, struct cudaMemPoolPtrExportData* exportData);
// The event was created with cudaEventInterprocess | cudaEventDisableTiming.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
// The event belongs to the current device. cudaErrorMapBufferObjectFailed for a handle whose event no longer exists.
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
