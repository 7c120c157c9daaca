// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches, functions, occupancy. Included by cuda_runtime_api.h only.
#pragma once

// `func` is the kernel's host name, `args` one pointer for each parameter. The parameters are copied before the call
// returns. A launch that cannot run is refused here; an error of a running kernel shows at the next synchronisation.
cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                             cudaStream_t stream);
// Launches a cooperative grid: all its blocks are resident together and the grid barrier works. One block too many is
// cudaErrorCooperativeLaunchTooLarge.
cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                                        cudaStream_t stream);
// Launches a cooperative grid on several devices at once, one entry for each, as one multi-grid. CUDA removed the call
// in version 13.
//
// Function, grid, block and shared memory must be equal in all entries, and each stream a created one of another
// device. Errors, before any grid is launched: cudaErrorInvalidResourceHandle for a null or special stream;
// cudaErrorInvalidValue for a device named twice, a difference or an unknown flag; cudaErrorCooperativeLaunchTooLarge
// for more blocks than the smallest device holds.
//
// The launch waits for all earlier work in all the streams, and later work in any of them waits for all its grids. The
// flags NoPreSync and NoPostSync, which permit less waiting, have no effect: the grids start and end together.
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams* launchParamsList, unsigned int numDevices,
                                                   unsigned int flags COHORT_DEFAULT(0));
// cohort::launch_world() in CUDA sources; CUDA has no such call. Launches as cudaLaunchCooperativeKernelMultiDevice
// does, together with the other processes of the world: all of them make this call.
struct cohort_world;
cudaError_t cohort_launch_world(struct cohort_world* world, struct cudaLaunchParams* launchParamsList,
                                unsigned int numDevices);
// Launches with attributes. Cooperative makes the launch cooperative. Priority orders kernels that are ready at the
// same time.
//
// ClusterDimension must divide the grid, have at most 8 blocks (16 with cudaFuncAttributeNonPortableClusterSizeAllowed)
// and equal the kernel's __cluster_dims__, if there is one: else cudaErrorInvalidClusterSize. PreferredClusterDimension
// must be a multiple of it that divides the grid too; the launch uses ClusterDimension.
//
// These are hints that change no result: AccessPolicyWindow, SynchronizationPolicy, ClusterSchedulingPolicyPreference,
// MemSyncDomain(Map), PreferredSharedMemoryCarveout, ProgrammaticStreamSerialization and NvlinkUtilCentricScheduling.
// All other attributes are cudaErrorNotSupported.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args);
// Calls `fn` in stream order, on a thread of the runtime.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData);
// `syncMode` is a cudaHostTaskSyncMode. A stream of a CPU waits in one way, so the mode has no effect.
cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn, void* userData, unsigned int syncMode);

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, const void* func);
// Sets an attribute on the current device. MaxDynamicSharedMemorySize is the opt-in to more than 48 KiB,
// NonPortableClusterSizeAllowed the opt-in to clusters of more than 8 blocks. RequiredClusterWidth, Height and Depth
// are cudaErrorNotPermitted on a kernel with __cluster_dims__. ClusterDimMustBeSet is read-only.
cudaError_t cudaFuncSetAttribute(const void* func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void* func, enum cudaFuncCache cacheConfig);
cudaError_t cudaFuncSetSharedMemConfig(const void* func, enum cudaSharedMemConfig config);
// The kernel's handle for the driver API (a CUfunction). Every call here accepts it in place of `func`.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr);
cudaError_t cudaFuncGetName(const char** name, const void* func);
cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset, size_t* paramSize);
cudaError_t cudaFuncGetParamCount(const void* func, size_t* paramCount);

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                          size_t dynamicSMemSize);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func, int blockSize,
                                                                   size_t dynamicSMemSize, unsigned int flags);
// The largest dynamic shared memory with which `numBlocks` blocks fit on one SM.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func, int numBlocks,
                                                      int blockSize);
// The clusters of the launch that are resident at once: the bound of a cooperative launch with clusters.
cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, const void* func, const cudaLaunchConfig_t* launchConfig);
// The largest cluster that fits, in blocks: at most 8, or 16 with NonPortableClusterSizeAllowed. If the kernel requires
// a cluster size, that size.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                 const cudaLaunchConfig_t* launchConfig);
