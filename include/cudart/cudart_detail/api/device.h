// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, errors, versions. Included by cuda_runtime_api.h only.
#pragma once

// The last error of this thread, or the error that ended the device. cudaGetLastError also clears the thread's error.
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
// Return the name and the text of an error: "cudaErrorInvalidValue" and "invalid argument" for number 1. For an unknown
// number both return "unrecognized error code".
COHORT_BOTH_SIDES const char* cudaGetErrorName(cudaError_t error);
COHORT_BOTH_SIDES const char* cudaGetErrorString(cudaError_t error);

cudaError_t cudaDriverGetVersion(int* driverVersion);
cudaError_t cudaRuntimeGetVersion(int* runtimeVersion);

// A function of the driver API by its name, as cuGetProcAddress finds it. The first form requests CUDART_VERSION.
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult* driverStatus COHORT_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult* driverStatus COHORT_DEFAULT(0));

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
cudaError_t cudaSetValidDevices(int* device_arr, int len);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
// The first device of the highest compute capability that is not below the one in `prop`.
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* prop);

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device);
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attr, int device);

// Waits for all work of the current device; returns its first error.
cudaError_t cudaDeviceSynchronize(void);
// Waits, frees all memory, streams and events of the current device, and clears the error that ended it.
cudaError_t cudaDeviceReset(void);

// cudaLimitStackSize is the address space of a thread's stack, rounded up to the engine's minimum.
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* pValue, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* pCacheConfig);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* pConfig);
cudaError_t cudaCtxResetPersistingL2Cache(void);

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId);
cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device);

// Virtual devices share one memory: each can always access the memory of the others.
cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice);
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);
// The function is kept and never called: the memory of a virtual device has no budget that the system lowers.
cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void* userData,
                                                cudaAsyncCallbackHandle_t* callback);
cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback);
// Bits of cudaAtomicOperationCapability for each operation. `count` must not be 0.
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const enum cudaAtomicOperation* operations,
                                                unsigned int count, int device);
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const enum cudaAtomicOperation* operations,
                                               unsigned int count, int srcDevice, int dstDevice);
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice);

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

// CUDA's old names.
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSynchronize(void);
