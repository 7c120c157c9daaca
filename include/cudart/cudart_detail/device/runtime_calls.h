// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of CUDA's device runtime: those of the runtime API that kernels may make. Included by
// cuda_device_runtime_api.h only. Each returns its error and keeps it as the calling thread's latest.
//
// Streams and events are those of a grid: all of its threads may use them, and no other grid. Their handles are not
// those of the host.
#pragma once

#include <cohort/machine/cpu/port.hpp>

#include "macros.h"
#include "runtime_ports.h"

#define COHORT_RUNTIME_API COHORT_DEVICE_FUNCTION cudaError_t

COHORT_RUNTIME_API cudaGetLastError() { return static_cast<cudaError_t>(cohort_runtime_last_error(1)); }
COHORT_RUNTIME_API cudaPeekAtLastError() { return static_cast<cudaError_t>(cohort_runtime_last_error(0)); }

COHORT_RUNTIME_API cudaGetDevice(int* device) {
  *device = static_cast<int>(cohort_device_index());
  return cudaSuccess;
}
COHORT_RUNTIME_API cudaGetDeviceCount(int* count) {
  return static_cast<cudaError_t>(cohort_runtime_device_count(count));
}
COHORT_RUNTIME_API cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return static_cast<cudaError_t>(cohort_runtime_device_attribute(value, attribute, device));
}
COHORT_RUNTIME_API cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return static_cast<cudaError_t>(cohort_runtime_limit(value, limit));
}
COHORT_RUNTIME_API cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
COHORT_RUNTIME_API cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
COHORT_RUNTIME_API cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

COHORT_RUNTIME_API cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return static_cast<cudaError_t>(cohort_runtime_function_attributes(attributes, kernel));
}
COHORT_RUNTIME_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int threads,
                                                                          size_t dynamic_bytes, unsigned int flags) {
  return static_cast<cudaError_t>(cohort_runtime_occupancy(blocks, kernel, threads, dynamic_bytes, flags));
}
COHORT_RUNTIME_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                                 size_t dynamic_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, dynamic_bytes, 0);
}
template <class... Parameters>
COHORT_RUNTIME_API cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class... Parameters>
COHORT_RUNTIME_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(Parameters...),
                                                                 int threads, size_t dynamic_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), threads,
                                                       dynamic_bytes);
}
template <class... Parameters>
COHORT_RUNTIME_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(Parameters...),
                                                                          int threads, size_t dynamic_bytes,
                                                                          unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel), threads,
                                                                dynamic_bytes, flags);
}

// Memory of the heap of malloc in kernels, which the host cannot free.
COHORT_RUNTIME_API cudaMalloc(void** made, size_t bytes) {
  *made = malloc(bytes);
  return *made ? cudaSuccess : static_cast<cudaError_t>(cohort_runtime_remember(cudaErrorMemoryAllocation));
}
COHORT_RUNTIME_API cudaFree(void* memory) {
  free(memory);
  return cudaSuccess;
}

// `flags`: cudaStreamNonBlocking.
COHORT_RUNTIME_API cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return static_cast<cudaError_t>(cohort_runtime_create_stream(reinterpret_cast<void**>(stream), flags));
}
// The work in the stream runs to its end.
COHORT_RUNTIME_API cudaStreamDestroy(cudaStream_t stream) {
  return static_cast<cudaError_t>(cohort_runtime_destroy_stream(stream));
}
COHORT_RUNTIME_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0) {
  return static_cast<cudaError_t>(cohort_runtime_wait_event(stream, event, flags));
}
// `flags`: cudaEventDisableTiming.
COHORT_RUNTIME_API cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return static_cast<cudaError_t>(cohort_runtime_create_event(reinterpret_cast<void**>(event), flags));
}
COHORT_RUNTIME_API cudaEventDestroy(cudaEvent_t event) {
  return static_cast<cudaError_t>(cohort_runtime_destroy_event(event));
}
COHORT_RUNTIME_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned int flags = 0) {
  return static_cast<cudaError_t>(cohort_runtime_record_event(event, stream, flags));
}
COHORT_RUNTIME_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

COHORT_RUNTIME_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return static_cast<cudaError_t>(cohort_runtime_copy(to, to_pitch, from, from_pitch, width, height, kind, stream));
}
COHORT_RUNTIME_API cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream = 0) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
COHORT_RUNTIME_API cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = 0) {
  return static_cast<cudaError_t>(cohort_runtime_copy_volume(parameters, stream));
}
COHORT_RUNTIME_API cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream = 0) {
  return static_cast<cudaError_t>(cohort_runtime_fill(memory.ptr, memory.pitch, memory.pitch * memory.ysize, value,
                                                      extent.width, extent.height, extent.depth, stream));
}
COHORT_RUNTIME_API cudaMemset2DAsync(void* memory, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream = 0) {
  return static_cast<cudaError_t>(cohort_runtime_fill(memory, pitch, 0, value, width, height, 1, stream));
}
COHORT_RUNTIME_API cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream = 0) {
  return cudaMemset2DAsync(memory, bytes, value, bytes, 1, stream);
}

// `stream`: cudaStreamGraphFireAndForget, cudaStreamGraphFireAndForgetAsSibling or cudaStreamGraphTailLaunch. The
// caller must be a kernel of a graph.
COHORT_RUNTIME_API cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  return static_cast<cudaError_t>(cohort_runtime_launch_graph(graph, stream));
}
// The device graph that the kernel belongs to; null outside of one.
COHORT_DEVICE_FUNCTION cudaGraphExec_t cudaGetCurrentGraphExec() {
  return static_cast<cudaGraphExec_t>(cohort_runtime_current_graph());
}

#undef COHORT_RUNTIME_API
