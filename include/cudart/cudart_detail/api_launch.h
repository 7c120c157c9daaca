// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches, functions, occupancy. Included by cuda_runtime_api.h only.
#pragma once

// `func` is the kernel's host name, `args` one pointer for each parameter; the parameters are copied before the call
// returns. A launch that cannot run is refused here; one that fails while it runs shows at the next synchronisation.
cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                             cudaStream_t stream);
// All blocks are resident together and the grid barrier works; one block too many is
// cudaErrorCooperativeLaunchTooLarge.
cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                                        cudaStream_t stream);
// Attributes: Cooperative is obeyed; Priority orders kernels that are ready at the same time; AccessPolicyWindow,
// SynchronizationPolicy, ClusterSchedulingPolicyPreference, MemSyncDomain(Map), PreferredSharedMemoryCarveout,
// ProgrammaticStreamSerialization and NvlinkUtilCentricScheduling are hints that change no result; a ClusterDimension
// other than 1 and everything else is cudaErrorNotSupported.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args);
// Calls `fn` when the stream comes to it, on a thread of the runtime.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData);

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, const void* func);
// MaxDynamicSharedMemorySize is the opt-in to more than 48 KiB.
cudaError_t cudaFuncSetAttribute(const void* func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void* func, enum cudaFuncCache cacheConfig);
cudaError_t cudaFuncSetSharedMemConfig(const void* func, enum cudaSharedMemConfig config);
cudaError_t cudaFuncGetName(const char** name, const void* func);
cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset, size_t* paramSize);

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                          size_t dynamicSMemSize);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func, int blockSize,
                                                                   size_t dynamicSMemSize, unsigned int flags);
// The largest dynamic shared memory with which `numBlocks` blocks still fit on one SM.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func, int numBlocks,
                                                      int blockSize);
