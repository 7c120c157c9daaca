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
// The event was created with cudaEventInterprocess | cudaEventDisableTiming.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
// The event belongs to the current device. cudaErrorMapBufferObjectFailed for a handle whose event no longer exists.
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
