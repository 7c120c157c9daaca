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
// The same on several devices at once, one entry for each, as one multi-grid; CUDA removed it in version 13. Function,
// grid, block and shared memory must be the same, and each stream a created one of another device: null and the special
// streams are cudaErrorInvalidResourceHandle, a device named twice, a difference or a flag that is none is
// cudaErrorInvalidValue, more blocks than the smallest device holds cudaErrorCooperativeLaunchTooLarge. Then nothing is
// launched. The launch waits for all work before it in all the streams, and work after it in any of them waits for all
// its grids; the flags NoPreSync and NoPostSync would allow less waiting, and change nothing, because the grids start
// and end together.
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams* launchParamsList, unsigned int numDevices,
                                                   unsigned int flags COHORT_DEFAULT(0));
// Attributes: Cooperative is obeyed; Priority orders kernels that are ready at the same time; AccessPolicyWindow,
// SynchronizationPolicy, ClusterSchedulingPolicyPreference, MemSyncDomain(Map), PreferredSharedMemoryCarveout,
// ProgrammaticStreamSerialization and NvlinkUtilCentricScheduling are hints that change no result. ClusterDimension
// must divide the grid, have at most 8 blocks (16 with cudaFuncAttributeNonPortableClusterSizeAllowed) and be what
// __cluster_dims__ says, where it says something: else cudaErrorInvalidClusterSize. PreferredClusterDimension must be a
// multiple of it that divides the grid too; the launch uses ClusterDimension. All others: cudaErrorNotSupported.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args);
// Calls `fn` when the stream comes to it, on a thread of the runtime.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData);

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, const void* func);
// For the current device. MaxDynamicSharedMemorySize is the opt-in to more than 48 KiB; NonPortableClusterSizeAllowed
// the one to clusters of more than 8 blocks; RequiredClusterWidth, Height and Depth are cudaErrorNotPermitted on a
// kernel with __cluster_dims__, and ClusterDimMustBeSet can only be asked for.
cudaError_t cudaFuncSetAttribute(const void* func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void* func, enum cudaFuncCache cacheConfig);
cudaError_t cudaFuncSetSharedMemConfig(const void* func, enum cudaSharedMemConfig config);
// The kernel's handle, for the driver API (a CUfunction); it may stand for `func` in every call here.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr);
cudaError_t cudaFuncGetName(const char** name, const void* func);
cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset, size_t* paramSize);

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                          size_t dynamicSMemSize);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func, int blockSize,
                                                                   size_t dynamicSMemSize, unsigned int flags);
// The largest dynamic shared memory with which `numBlocks` blocks still fit on one SM.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func, int numBlocks,
                                                      int blockSize);
// Clusters of the launch that are resident at once: what a cooperative launch with clusters admits.
cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, const void* func, const cudaLaunchConfig_t* launchConfig);
// The largest cluster that fits, in blocks: at most 8, or 16 with NonPortableClusterSizeAllowed; the required one where
// the kernel requires one.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                 const cudaLaunchConfig_t* launchConfig);
