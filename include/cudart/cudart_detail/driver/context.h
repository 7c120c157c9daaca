// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: initialisation, devices, contexts, peers. Included by cuda.h only.
#pragma once

// The name of an error in this header's spelling, and the runtime's text for it. CUDA_ERROR_INVALID_VALUE and a null
// pointer for an unknown number.
CUresult cuGetErrorName(CUresult error, const char** pStr);
CUresult cuGetErrorString(CUresult error, const char** pStr);

// Other calls return CUDA_ERROR_NOT_INITIALIZED before this call or a call of the runtime that touches a device.
CUresult cuInit(unsigned int Flags);
CUresult cuDriverGetVersion(int* driverVersion);

// Stores the newest form of the function `symbol`, a name without the ending of a version, that CUDA `cudaVersion` has,
// or null with the reason in `*symbolStatus`. CUDA_ERROR_INVALID_VALUE for a version that is newer than this one, or
// for unknown flags. CU_GET_PROC_ADDRESS_DEFAULT is the form that the caller's own calls have. Needs no cuInit.
CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* symbolStatus);
#define cuGetProcAddress cuGetProcAddress_v2

CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int len, CUdevice dev);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev);
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice dev);
CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev);
CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev);
CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev);
CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId);
CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev);
// The function is kept and never called: the memory of a virtual device has no budget that the system lowers.
CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void* userData,
                                           CUasyncCallbackHandle* callback);
CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback);
CUresult cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                           unsigned int count, CUdevice dev);
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                          unsigned int count, CUdevice srcDevice, CUdevice dstDevice);
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice);

// The primary context, which the runtime uses. cuDevicePrimaryCtxReset acts like cudaDeviceReset of that device.
CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev);
CUresult cuDevicePrimaryCtxRelease(CUdevice dev);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active);
CUresult cuDevicePrimaryCtxReset(CUdevice dev);

// Makes a context: a further name for the device, whose memory and streams it shares. It becomes current for the
// thread. The three forms are those of CUDA 12, 11.4 and 13; `cuCtxCreate` is the newest, and in C++ also CUDA 12's.
CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev);
CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams, unsigned int flags,
                        CUdevice dev);
CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev);
#define cuCtxCreate cuCtxCreate_v4
// Destroys a context; CUDA_ERROR_INVALID_CONTEXT for a primary one. The end of a device's last context resets the
// device, here or in the release of its primary context. A context is the last if no other created one exists and the
// primary one is neither retained nor used by the runtime.
CUresult cuCtxDestroy(CUcontext ctx);
// The calls before CUDA 4: the current context ends with as many detachments as it had attachments, and one for its
// creation.
CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags);
CUresult cuCtxDetach(CUcontext ctx);
CUresult cuCtxPushCurrent(CUcontext ctx);
CUresult cuCtxPopCurrent(CUcontext* pctx);
CUresult cuCtxSetCurrent(CUcontext ctx);
CUresult cuCtxGetCurrent(CUcontext* pctx);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetFlags(unsigned int* flags);
CUresult cuCtxSetFlags(unsigned int flags);
// A number that no other context of the process has; null means the current context.
CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId);

// Green contexts: parts of a device's multiprocessors. Kernels in a part's streams run on as many of the device's
// workers as the part has multiprocessors of its COHORT_SMS, and a cooperative grid is limited by them. The kernels of
// a device run one after another, those of different parts too: CUDA does not promise that they run side by side. A
// device of 16 multiprocessors and more is split into multiples of 8, and of 2 with
// CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING, as on compute capability 9.0; a smaller one into any parts.
CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type);
CUresult cuCtxGetDevResource(CUcontext hCtx, CUdevResource* resource, CUdevResourceType type);
CUresult cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource* resource, CUdevResourceType type);
CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned int* nbGroups, const CUdevResource* input,
                                     CUdevResource* remaining, unsigned int useFlags, unsigned int minCount);
// Makes groups of chosen sizes, as cudaDevSmResourceSplit does.
CUresult cuDevSmResourceSplit(CUdevResource* result, unsigned int nbGroups, const CUdevResource* input,
                              CUdevResource* remainder, unsigned int flags,
                              CU_DEV_SM_RESOURCE_GROUP_PARAMS* groupParams);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* phDesc, CUdevResource* resources, unsigned int nbResources);
CUresult cuGreenCtxCreate(CUgreenCtx* phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags);
// Calls with the context's streams return CUDA_ERROR_CONTEXT_IS_DESTROYED afterwards.
CUresult cuGreenCtxDestroy(CUgreenCtx hCtx);
CUresult cuCtxFromGreenCtx(CUcontext* pContext, CUgreenCtx hCtx);
CUresult cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long* greenCtxId);
CUresult cuGreenCtxStreamCreate(CUstream* phStream, CUgreenCtx greenCtx, unsigned int flags, int priority);
CUresult cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent);
CUresult cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent);
CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version);
CUresult cuCtxSynchronize(void);
// The forms for any context; null means the current one.
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx);
CUresult cuCtxSynchronize_v2(CUcontext ctx);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit);
// A CPU's caches and shared memory cannot be configured: valid values have no effect.
CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
CUresult cuCtxResetPersistingL2Cache(void);
// No device divides its multiprocessors among contexts: the support is 0, and a context's affinity is
// CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY.
CUresult cuDeviceGetExecAffinitySupport(int* pi, CUexecAffinityType type, CUdevice dev);
CUresult cuCtxGetExecAffinity(CUexecAffinityParam* pExecAffinity, CUexecAffinityType type);
CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority);

// cuCtxRecordEvent records after all submitted work of the context's device; after cuCtxWaitEvent all its later work
// waits for the event. Peer access is from the current context to that of another device; a context of the same device
// is CUDA_ERROR_INVALID_CONTEXT. Other errors: CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, _NOT_ENABLED.
CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent);
CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent);
CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);
CUresult cuCtxDisablePeerAccess(CUcontext peerContext);

// The symbol names in CUDA's libraries.
#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuDeviceGetUuid_v2 cuDeviceGetUuid
#define cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease
#define cuDevicePrimaryCtxSetFlags_v2 cuDevicePrimaryCtxSetFlags
#define cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxReset
#define cuCtxDestroy_v2 cuCtxDestroy
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
