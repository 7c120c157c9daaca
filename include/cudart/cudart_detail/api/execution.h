// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution contexts, which CUDA 13.1 added: the primary context of a device, and green contexts, which are parts of
// its multiprocessors (cudart_detail/driver/context.h has the rules of parts). A function finds both kinds.
// A null or unknown context is cudaErrorInvalidValue, a destroyed one cudaErrorContextIsDestroyed. Resources of the
// workqueue types are cudaErrorInvalidResourceType: a virtual device has no queues.
#pragma once

cudaError_t cudaDeviceGetDevResource(int device, cudaDevResource* resource, enum cudaDevResourceType type);
cudaError_t cudaDevSmResourceSplitByCount(cudaDevResource* result, unsigned int* nbGroups, const cudaDevResource* input,
                                          cudaDevResource* remaining, unsigned int flags, unsigned int minCount);
// Makes groups of chosen sizes, in their order; what is left is the remainder. With a null `result` it only writes the
// sizes that are 0 in `groupParams`. A virtual device has no locality domains.
cudaError_t cudaDevSmResourceSplit(cudaDevResource* result, unsigned int nbGroups, const cudaDevResource* input,
                                   cudaDevResource* remainder, unsigned int flags,
                                   cudaDevSmResourceGroupParams* groupParams);
cudaError_t cudaDevResourceGenerateDesc(cudaDevResourceDesc_t* phDesc, cudaDevResource* resources,
                                        unsigned int nbResources);
cudaError_t cudaGreenCtxCreate(cudaExecutionContext_t* phCtx, cudaDevResourceDesc_t desc, int device,
                               unsigned int flags);
// The context of the whole device, which cudaExecutionCtxDestroy refuses.
cudaError_t cudaDeviceGetExecutionCtx(cudaExecutionContext_t* ctx, int device);
// Calls with the context's streams return cudaErrorContextIsDestroyed afterwards, except cudaStreamDestroy.
cudaError_t cudaExecutionCtxDestroy(cudaExecutionContext_t ctx);
cudaError_t cudaExecutionCtxGetDevResource(cudaExecutionContext_t ctx, cudaDevResource* resource,
                                           enum cudaDevResourceType type);
cudaError_t cudaExecutionCtxGetDevice(int* device, cudaExecutionContext_t ctx);
// The number is unique in the process.
cudaError_t cudaExecutionCtxGetId(cudaExecutionContext_t ctx, unsigned long long* ctxId);
// The streams of a green context are all cudaStreamNonBlocking.
cudaError_t cudaExecutionCtxStreamCreate(cudaStream_t* phStream, cudaExecutionContext_t ctx, unsigned int flags,
                                         int priority);
// Waits for the work of the context's device.
cudaError_t cudaExecutionCtxSynchronize(cudaExecutionContext_t ctx);
cudaError_t cudaExecutionCtxRecordEvent(cudaExecutionContext_t ctx, cudaEvent_t event);
cudaError_t cudaExecutionCtxWaitEvent(cudaExecutionContext_t ctx, cudaEvent_t event);
cudaError_t cudaStreamGetDevResource(cudaStream_t hStream, cudaDevResource* resource, enum cudaDevResourceType type);
