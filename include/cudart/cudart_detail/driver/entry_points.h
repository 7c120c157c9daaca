// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the driver API by name, for cuGetProcAddress and <cudaTypedefs.h>. A row is the name, the version of
// CUDA that introduced this form of it, and the function. The forms with 32-bit addresses, before CUDA 3.2, do not
// exist.
#pragma once

// Stream 0 is the legacy default stream.
#define COHORT_CU_ENTRY_POINTS(COHORT_CU_ENTRY_POINT)                                                               \
  COHORT_CU_ENTRY_POINT(cuArray3DCreate, 3020, cuArray3DCreate)                                                     \
  COHORT_CU_ENTRY_POINT(cuArray3DGetDescriptor, 3020, cuArray3DGetDescriptor)                                       \
  COHORT_CU_ENTRY_POINT(cuArrayCreate, 3020, cuArrayCreate)                                                         \
  COHORT_CU_ENTRY_POINT(cuArrayDestroy, 2000, cuArrayDestroy)                                                       \
  COHORT_CU_ENTRY_POINT(cuArrayGetDescriptor, 3020, cuArrayGetDescriptor)                                           \
  COHORT_CU_ENTRY_POINT(cuArrayGetMemoryRequirements, 11060, cuArrayGetMemoryRequirements)                          \
  COHORT_CU_ENTRY_POINT(cuArrayGetPlane, 11020, cuArrayGetPlane)                                                    \
  COHORT_CU_ENTRY_POINT(cuArrayGetSparseProperties, 11010, cuArrayGetSparseProperties)                              \
  COHORT_CU_ENTRY_POINT(cuCoredumpGetAttribute, 12010, cuCoredumpGetAttribute)                                      \
  COHORT_CU_ENTRY_POINT(cuCoredumpGetAttributeGlobal, 12010, cuCoredumpGetAttributeGlobal)                          \
  COHORT_CU_ENTRY_POINT(cuCoredumpSetAttribute, 12010, cuCoredumpSetAttribute)                                      \
  COHORT_CU_ENTRY_POINT(cuCoredumpSetAttributeGlobal, 12010, cuCoredumpSetAttributeGlobal)                          \
  COHORT_CU_ENTRY_POINT(cuCtxAttach, 2000, cuCtxAttach)                                                             \
  COHORT_CU_ENTRY_POINT(cuCtxCreate, 3020, cuCtxCreate_v2)                                                          \
  COHORT_CU_ENTRY_POINT(cuCtxCreate, 11040, cuCtxCreate_v3)                                                         \
  COHORT_CU_ENTRY_POINT(cuCtxDestroy, 2000, cuCtxDestroy)                                                           \
  COHORT_CU_ENTRY_POINT(cuCtxDestroy, 4000, cuCtxDestroy)                                                           \
  COHORT_CU_ENTRY_POINT(cuCtxDetach, 2000, cuCtxDetach)                                                             \
  COHORT_CU_ENTRY_POINT(cuCtxDisablePeerAccess, 4000, cuCtxDisablePeerAccess)                                       \
  COHORT_CU_ENTRY_POINT(cuCtxEnablePeerAccess, 4000, cuCtxEnablePeerAccess)                                         \
  COHORT_CU_ENTRY_POINT(cuCtxFromGreenCtx, 12040, cuCtxFromGreenCtx)                                                \
  COHORT_CU_ENTRY_POINT(cuCtxGetApiVersion, 3020, cuCtxGetApiVersion)                                               \
  COHORT_CU_ENTRY_POINT(cuCtxGetCacheConfig, 3020, cuCtxGetCacheConfig)                                             \
  COHORT_CU_ENTRY_POINT(cuCtxGetCurrent, 4000, cuCtxGetCurrent)                                                     \
  COHORT_CU_ENTRY_POINT(cuCtxGetDevResource, 12040, cuCtxGetDevResource)                                            \
  COHORT_CU_ENTRY_POINT(cuCtxGetDevice, 2000, cuCtxGetDevice)                                                       \
  COHORT_CU_ENTRY_POINT(cuCtxGetDevice, 13000, cuCtxGetDevice_v2)                                                   \
  COHORT_CU_ENTRY_POINT(cuCtxGetExecAffinity, 11040, cuCtxGetExecAffinity)                                          \
  COHORT_CU_ENTRY_POINT(cuCtxGetFlags, 7000, cuCtxGetFlags)                                                         \
  COHORT_CU_ENTRY_POINT(cuCtxGetId, 12000, cuCtxGetId)                                                              \
  COHORT_CU_ENTRY_POINT(cuCtxGetLimit, 3010, cuCtxGetLimit)                                                         \
  COHORT_CU_ENTRY_POINT(cuCtxGetSharedMemConfig, 4020, cuCtxGetSharedMemConfig)                                     \
  COHORT_CU_ENTRY_POINT(cuCtxGetStreamPriorityRange, 5050, cuCtxGetStreamPriorityRange)                             \
  COHORT_CU_ENTRY_POINT(cuCtxPopCurrent, 2000, cuCtxPopCurrent)                                                     \
  COHORT_CU_ENTRY_POINT(cuCtxPopCurrent, 4000, cuCtxPopCurrent)                                                     \
  COHORT_CU_ENTRY_POINT(cuCtxPushCurrent, 2000, cuCtxPushCurrent)                                                   \
  COHORT_CU_ENTRY_POINT(cuCtxPushCurrent, 4000, cuCtxPushCurrent)                                                   \
  COHORT_CU_ENTRY_POINT(cuCtxRecordEvent, 12050, cuCtxRecordEvent)                                                  \
  COHORT_CU_ENTRY_POINT(cuCtxResetPersistingL2Cache, 11000, cuCtxResetPersistingL2Cache)                            \
  COHORT_CU_ENTRY_POINT(cuCtxSetCacheConfig, 3020, cuCtxSetCacheConfig)                                             \
  COHORT_CU_ENTRY_POINT(cuCtxSetCurrent, 4000, cuCtxSetCurrent)                                                     \
  COHORT_CU_ENTRY_POINT(cuCtxSetFlags, 12010, cuCtxSetFlags)                                                        \
  COHORT_CU_ENTRY_POINT(cuCtxSetLimit, 3010, cuCtxSetLimit)                                                         \
  COHORT_CU_ENTRY_POINT(cuCtxSetSharedMemConfig, 4020, cuCtxSetSharedMemConfig)                                     \
  COHORT_CU_ENTRY_POINT(cuCtxSynchronize, 2000, cuCtxSynchronize)                                                   \
  COHORT_CU_ENTRY_POINT(cuCtxSynchronize, 13000, cuCtxSynchronize_v2)                                               \
  COHORT_CU_ENTRY_POINT(cuCtxWaitEvent, 12050, cuCtxWaitEvent)                                                      \
  COHORT_CU_ENTRY_POINT(cuDestroyExternalMemory, 10000, cuDestroyExternalMemory)                                    \
  COHORT_CU_ENTRY_POINT(cuDestroyExternalSemaphore, 10000, cuDestroyExternalSemaphore)                              \
  COHORT_CU_ENTRY_POINT(cuDevResourceGenerateDesc, 12040, cuDevResourceGenerateDesc)                                \
  COHORT_CU_ENTRY_POINT(cuDevSmResourceSplit, 13010, cuDevSmResourceSplit)                                          \
  COHORT_CU_ENTRY_POINT(cuDevSmResourceSplitByCount, 12040, cuDevSmResourceSplitByCount)                            \
  COHORT_CU_ENTRY_POINT(cuDeviceCanAccessPeer, 4000, cuDeviceCanAccessPeer)                                         \
  COHORT_CU_ENTRY_POINT(cuDeviceComputeCapability, 2000, cuDeviceComputeCapability)                                 \
  COHORT_CU_ENTRY_POINT(cuDeviceGet, 2000, cuDeviceGet)                                                             \
  COHORT_CU_ENTRY_POINT(cuDeviceGetAttribute, 2000, cuDeviceGetAttribute)                                           \
  COHORT_CU_ENTRY_POINT(cuDeviceGetByPCIBusId, 4010, cuDeviceGetByPCIBusId)                                         \
  COHORT_CU_ENTRY_POINT(cuDeviceGetCount, 2000, cuDeviceGetCount)                                                   \
  COHORT_CU_ENTRY_POINT(cuDeviceGetDefaultMemPool, 11020, cuDeviceGetDefaultMemPool)                                \
  COHORT_CU_ENTRY_POINT(cuDeviceGetDevResource, 12040, cuDeviceGetDevResource)                                      \
  COHORT_CU_ENTRY_POINT(cuDeviceGetExecAffinitySupport, 11040, cuDeviceGetExecAffinitySupport)                      \
  COHORT_CU_ENTRY_POINT(cuDeviceGetGraphMemAttribute, 11040, cuDeviceGetGraphMemAttribute)                          \
  COHORT_CU_ENTRY_POINT(cuDeviceGetHostAtomicCapabilities, 13000, cuDeviceGetHostAtomicCapabilities)                \
  COHORT_CU_ENTRY_POINT(cuDeviceGetMemPool, 11020, cuDeviceGetMemPool)                                              \
  COHORT_CU_ENTRY_POINT(cuDeviceGetName, 2000, cuDeviceGetName)                                                     \
  COHORT_CU_ENTRY_POINT(cuDeviceGetP2PAtomicCapabilities, 13000, cuDeviceGetP2PAtomicCapabilities)                  \
  COHORT_CU_ENTRY_POINT(cuDeviceGetP2PAttribute, 8000, cuDeviceGetP2PAttribute)                                     \
  COHORT_CU_ENTRY_POINT(cuDeviceGetPCIBusId, 4010, cuDeviceGetPCIBusId)                                             \
  COHORT_CU_ENTRY_POINT(cuDeviceGetProperties, 2000, cuDeviceGetProperties)                                         \
  COHORT_CU_ENTRY_POINT(cuDeviceGetTexture1DLinearMaxWidth, 11010, cuDeviceGetTexture1DLinearMaxWidth)              \
  COHORT_CU_ENTRY_POINT(cuDeviceGetUuid, 9020, cuDeviceGetUuid)                                                     \
  COHORT_CU_ENTRY_POINT(cuDeviceGetUuid, 11040, cuDeviceGetUuid)                                                    \
  COHORT_CU_ENTRY_POINT(cuDeviceGraphMemTrim, 11040, cuDeviceGraphMemTrim)                                          \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxGetState, 7000, cuDevicePrimaryCtxGetState)                               \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxRelease, 7000, cuDevicePrimaryCtxRelease)                                 \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxRelease, 11000, cuDevicePrimaryCtxRelease)                                \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxReset, 7000, cuDevicePrimaryCtxReset)                                     \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxReset, 11000, cuDevicePrimaryCtxReset)                                    \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxRetain, 7000, cuDevicePrimaryCtxRetain)                                   \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxSetFlags, 7000, cuDevicePrimaryCtxSetFlags)                               \
  COHORT_CU_ENTRY_POINT(cuDevicePrimaryCtxSetFlags, 11000, cuDevicePrimaryCtxSetFlags)                              \
  COHORT_CU_ENTRY_POINT(cuDeviceRegisterAsyncNotification, 12040, cuDeviceRegisterAsyncNotification)                \
  COHORT_CU_ENTRY_POINT(cuDeviceSetGraphMemAttribute, 11040, cuDeviceSetGraphMemAttribute)                          \
  COHORT_CU_ENTRY_POINT(cuDeviceSetMemPool, 11020, cuDeviceSetMemPool)                                              \
  COHORT_CU_ENTRY_POINT(cuDeviceTotalMem, 3020, cuDeviceTotalMem)                                                   \
  COHORT_CU_ENTRY_POINT(cuDeviceUnregisterAsyncNotification, 12040, cuDeviceUnregisterAsyncNotification)            \
  COHORT_CU_ENTRY_POINT(cuDriverGetVersion, 2020, cuDriverGetVersion)                                               \
  COHORT_CU_ENTRY_POINT(cuEventCreate, 2000, cuEventCreate)                                                         \
  COHORT_CU_ENTRY_POINT(cuEventDestroy, 2000, cuEventDestroy)                                                       \
  COHORT_CU_ENTRY_POINT(cuEventDestroy, 4000, cuEventDestroy)                                                       \
  COHORT_CU_ENTRY_POINT(cuEventElapsedTime, 2000, cuEventElapsedTime)                                               \
  COHORT_CU_ENTRY_POINT(cuEventElapsedTime, 12080, cuEventElapsedTime)                                              \
  COHORT_CU_ENTRY_POINT(cuEventQuery, 2000, cuEventQuery)                                                           \
  COHORT_CU_ENTRY_POINT(cuEventRecord, 2000, cuEventRecord)                                                         \
  COHORT_CU_ENTRY_POINT(cuEventRecordWithFlags, 11010, cuEventRecordWithFlags)                                      \
  COHORT_CU_ENTRY_POINT(cuEventSynchronize, 2000, cuEventSynchronize)                                               \
  COHORT_CU_ENTRY_POINT(cuExternalMemoryGetMappedBuffer, 10000, cuExternalMemoryGetMappedBuffer)                    \
  COHORT_CU_ENTRY_POINT(cuFuncGetAttribute, 2020, cuFuncGetAttribute)                                               \
  COHORT_CU_ENTRY_POINT(cuFuncGetModule, 11000, cuFuncGetModule)                                                    \
  COHORT_CU_ENTRY_POINT(cuFuncGetName, 12030, cuFuncGetName)                                                        \
  COHORT_CU_ENTRY_POINT(cuFuncGetParamCount, 13020, cuFuncGetParamCount)                                            \
  COHORT_CU_ENTRY_POINT(cuFuncGetParamInfo, 12040, cuFuncGetParamInfo)                                              \
  COHORT_CU_ENTRY_POINT(cuFuncIsLoaded, 12040, cuFuncIsLoaded)                                                      \
  COHORT_CU_ENTRY_POINT(cuFuncLoad, 12040, cuFuncLoad)                                                              \
  COHORT_CU_ENTRY_POINT(cuFuncSetAttribute, 9000, cuFuncSetAttribute)                                               \
  COHORT_CU_ENTRY_POINT(cuFuncSetBlockShape, 2000, cuFuncSetBlockShape)                                             \
  COHORT_CU_ENTRY_POINT(cuFuncSetCacheConfig, 3000, cuFuncSetCacheConfig)                                           \
  COHORT_CU_ENTRY_POINT(cuFuncSetSharedMemConfig, 4020, cuFuncSetSharedMemConfig)                                   \
  COHORT_CU_ENTRY_POINT(cuFuncSetSharedSize, 2000, cuFuncSetSharedSize)                                             \
  COHORT_CU_ENTRY_POINT(cuGetErrorName, 6000, cuGetErrorName)                                                       \
  COHORT_CU_ENTRY_POINT(cuGetErrorString, 6000, cuGetErrorString)                                                   \
  COHORT_CU_ENTRY_POINT(cuGetProcAddress, 12000, cuGetProcAddress_v2)                                               \
  COHORT_CU_ENTRY_POINT(cuGraphAddBatchMemOpNode, 11070, cuGraphAddBatchMemOpNode)                                  \
  COHORT_CU_ENTRY_POINT(cuGraphAddChildGraphNode, 10000, cuGraphAddChildGraphNode)                                  \
  COHORT_CU_ENTRY_POINT(cuGraphAddDependencies, 12030, cuGraphAddDependencies_v2)                                   \
  COHORT_CU_ENTRY_POINT(cuGraphAddEmptyNode, 10000, cuGraphAddEmptyNode)                                            \
  COHORT_CU_ENTRY_POINT(cuGraphAddEventRecordNode, 11010, cuGraphAddEventRecordNode)                                \
  COHORT_CU_ENTRY_POINT(cuGraphAddEventWaitNode, 11010, cuGraphAddEventWaitNode)                                    \
  COHORT_CU_ENTRY_POINT(cuGraphAddHostNode, 10000, cuGraphAddHostNode)                                              \
  COHORT_CU_ENTRY_POINT(cuGraphAddKernelNode, 12000, cuGraphAddKernelNode_v2)                                       \
  COHORT_CU_ENTRY_POINT(cuGraphAddMemAllocNode, 11040, cuGraphAddMemAllocNode)                                      \
  COHORT_CU_ENTRY_POINT(cuGraphAddMemFreeNode, 11040, cuGraphAddMemFreeNode)                                        \
  COHORT_CU_ENTRY_POINT(cuGraphAddMemcpyNode, 10000, cuGraphAddMemcpyNode)                                          \
  COHORT_CU_ENTRY_POINT(cuGraphAddMemsetNode, 10000, cuGraphAddMemsetNode)                                          \
  COHORT_CU_ENTRY_POINT(cuGraphAddNode, 12030, cuGraphAddNode_v2)                                                   \
  COHORT_CU_ENTRY_POINT(cuGraphBatchMemOpNodeGetParams, 11070, cuGraphBatchMemOpNodeGetParams)                      \
  COHORT_CU_ENTRY_POINT(cuGraphBatchMemOpNodeSetParams, 11070, cuGraphBatchMemOpNodeSetParams)                      \
  COHORT_CU_ENTRY_POINT(cuGraphChildGraphNodeGetGraph, 10000, cuGraphChildGraphNodeGetGraph)                        \
  COHORT_CU_ENTRY_POINT(cuGraphClone, 10000, cuGraphClone)                                                          \
  COHORT_CU_ENTRY_POINT(cuGraphConditionalHandleCreate, 12030, cuGraphConditionalHandleCreate)                      \
  COHORT_CU_ENTRY_POINT(cuGraphCreate, 10000, cuGraphCreate)                                                        \
  COHORT_CU_ENTRY_POINT(cuGraphDebugDotPrint, 11030, cuGraphDebugDotPrint)                                          \
  COHORT_CU_ENTRY_POINT(cuGraphDestroy, 10000, cuGraphDestroy)                                                      \
  COHORT_CU_ENTRY_POINT(cuGraphDestroyNode, 10000, cuGraphDestroyNode)                                              \
  COHORT_CU_ENTRY_POINT(cuGraphEventRecordNodeGetEvent, 11010, cuGraphEventRecordNodeGetEvent)                      \
  COHORT_CU_ENTRY_POINT(cuGraphEventRecordNodeSetEvent, 11010, cuGraphEventRecordNodeSetEvent)                      \
  COHORT_CU_ENTRY_POINT(cuGraphEventWaitNodeGetEvent, 11010, cuGraphEventWaitNodeGetEvent)                          \
  COHORT_CU_ENTRY_POINT(cuGraphEventWaitNodeSetEvent, 11010, cuGraphEventWaitNodeSetEvent)                          \
  COHORT_CU_ENTRY_POINT(cuGraphExecBatchMemOpNodeSetParams, 11070, cuGraphExecBatchMemOpNodeSetParams)              \
  COHORT_CU_ENTRY_POINT(cuGraphExecChildGraphNodeSetParams, 11010, cuGraphExecChildGraphNodeSetParams)              \
  COHORT_CU_ENTRY_POINT(cuGraphExecDestroy, 10000, cuGraphExecDestroy)                                              \
  COHORT_CU_ENTRY_POINT(cuGraphExecEventRecordNodeSetEvent, 11010, cuGraphExecEventRecordNodeSetEvent)              \
  COHORT_CU_ENTRY_POINT(cuGraphExecEventWaitNodeSetEvent, 11010, cuGraphExecEventWaitNodeSetEvent)                  \
  COHORT_CU_ENTRY_POINT(cuGraphExecGetFlags, 12000, cuGraphExecGetFlags)                                            \
  COHORT_CU_ENTRY_POINT(cuGraphExecGetId, 13010, cuGraphExecGetId)                                                  \
  COHORT_CU_ENTRY_POINT(cuGraphExecHostNodeSetParams, 10020, cuGraphExecHostNodeSetParams)                          \
  COHORT_CU_ENTRY_POINT(cuGraphExecKernelNodeSetParams, 12000, cuGraphExecKernelNodeSetParams_v2)                   \
  COHORT_CU_ENTRY_POINT(cuGraphExecMemcpyNodeSetParams, 10020, cuGraphExecMemcpyNodeSetParams)                      \
  COHORT_CU_ENTRY_POINT(cuGraphExecMemsetNodeSetParams, 10020, cuGraphExecMemsetNodeSetParams)                      \
  COHORT_CU_ENTRY_POINT(cuGraphExecNodeSetParams, 12020, cuGraphExecNodeSetParams)                                  \
  COHORT_CU_ENTRY_POINT(cuGraphExecUpdate, 12000, cuGraphExecUpdate_v2)                                             \
  COHORT_CU_ENTRY_POINT(cuGraphGetEdges, 12030, cuGraphGetEdges_v2)                                                 \
  COHORT_CU_ENTRY_POINT(cuGraphGetId, 13010, cuGraphGetId)                                                          \
  COHORT_CU_ENTRY_POINT(cuGraphGetNodes, 10000, cuGraphGetNodes)                                                    \
  COHORT_CU_ENTRY_POINT(cuGraphGetRootNodes, 10000, cuGraphGetRootNodes)                                            \
  COHORT_CU_ENTRY_POINT(cuGraphHostNodeGetParams, 10000, cuGraphHostNodeGetParams)                                  \
  COHORT_CU_ENTRY_POINT(cuGraphHostNodeSetParams, 10000, cuGraphHostNodeSetParams)                                  \
  COHORT_CU_ENTRY_POINT(cuGraphInstantiateWithFlags, 11040, cuGraphInstantiateWithFlags)                            \
  COHORT_CU_ENTRY_POINT(cuGraphInstantiateWithParams, 12000, cuGraphInstantiateWithParams)                          \
  COHORT_CU_ENTRY_POINT(cuGraphKernelNodeCopyAttributes, 11000, cuGraphKernelNodeCopyAttributes)                    \
  COHORT_CU_ENTRY_POINT(cuGraphKernelNodeGetAttribute, 11000, cuGraphKernelNodeGetAttribute)                        \
  COHORT_CU_ENTRY_POINT(cuGraphKernelNodeGetParams, 12000, cuGraphKernelNodeGetParams_v2)                           \
  COHORT_CU_ENTRY_POINT(cuGraphKernelNodeSetAttribute, 11000, cuGraphKernelNodeSetAttribute)                        \
  COHORT_CU_ENTRY_POINT(cuGraphKernelNodeSetParams, 12000, cuGraphKernelNodeSetParams_v2)                           \
  COHORT_CU_ENTRY_POINT(cuGraphLaunch, 10000, cuGraphLaunch)                                                        \
  COHORT_CU_ENTRY_POINT(cuGraphMemAllocNodeGetParams, 11040, cuGraphMemAllocNodeGetParams)                          \
  COHORT_CU_ENTRY_POINT(cuGraphMemFreeNodeGetParams, 11040, cuGraphMemFreeNodeGetParams)                            \
  COHORT_CU_ENTRY_POINT(cuGraphMemcpyNodeGetParams, 10000, cuGraphMemcpyNodeGetParams)                              \
  COHORT_CU_ENTRY_POINT(cuGraphMemcpyNodeSetParams, 10000, cuGraphMemcpyNodeSetParams)                              \
  COHORT_CU_ENTRY_POINT(cuGraphMemsetNodeGetParams, 10000, cuGraphMemsetNodeGetParams)                              \
  COHORT_CU_ENTRY_POINT(cuGraphMemsetNodeSetParams, 10000, cuGraphMemsetNodeSetParams)                              \
  COHORT_CU_ENTRY_POINT(cuGraphNodeFindInClone, 10000, cuGraphNodeFindInClone)                                      \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetContainingGraph, 13010, cuGraphNodeGetContainingGraph)                        \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetDependencies, 12030, cuGraphNodeGetDependencies_v2)                           \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetDependentNodes, 12030, cuGraphNodeGetDependentNodes_v2)                       \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetEnabled, 11060, cuGraphNodeGetEnabled)                                        \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetLocalId, 13010, cuGraphNodeGetLocalId)                                        \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetParams, 13020, cuGraphNodeGetParams)                                          \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetToolsId, 13010, cuGraphNodeGetToolsId)                                        \
  COHORT_CU_ENTRY_POINT(cuGraphNodeGetType, 10000, cuGraphNodeGetType)                                              \
  COHORT_CU_ENTRY_POINT(cuGraphNodeSetEnabled, 11060, cuGraphNodeSetEnabled)                                        \
  COHORT_CU_ENTRY_POINT(cuGraphNodeSetParams, 12020, cuGraphNodeSetParams)                                          \
  COHORT_CU_ENTRY_POINT(cuGraphReleaseUserObject, 11030, cuGraphReleaseUserObject)                                  \
  COHORT_CU_ENTRY_POINT(cuGraphRemoveDependencies, 12030, cuGraphRemoveDependencies_v2)                             \
  COHORT_CU_ENTRY_POINT(cuGraphRetainUserObject, 11030, cuGraphRetainUserObject)                                    \
  COHORT_CU_ENTRY_POINT(cuGraphUpload, 11010, cuGraphUpload)                                                        \
  COHORT_CU_ENTRY_POINT(cuGreenCtxCreate, 12040, cuGreenCtxCreate)                                                  \
  COHORT_CU_ENTRY_POINT(cuGreenCtxDestroy, 12040, cuGreenCtxDestroy)                                                \
  COHORT_CU_ENTRY_POINT(cuGreenCtxGetDevResource, 12040, cuGreenCtxGetDevResource)                                  \
  COHORT_CU_ENTRY_POINT(cuGreenCtxGetId, 12090, cuGreenCtxGetId)                                                    \
  COHORT_CU_ENTRY_POINT(cuGreenCtxRecordEvent, 12040, cuGreenCtxRecordEvent)                                        \
  COHORT_CU_ENTRY_POINT(cuGreenCtxStreamCreate, 12050, cuGreenCtxStreamCreate)                                      \
  COHORT_CU_ENTRY_POINT(cuGreenCtxWaitEvent, 12040, cuGreenCtxWaitEvent)                                            \
  COHORT_CU_ENTRY_POINT(cuImportExternalMemory, 10000, cuImportExternalMemory)                                      \
  COHORT_CU_ENTRY_POINT(cuImportExternalSemaphore, 10000, cuImportExternalSemaphore)                                \
  COHORT_CU_ENTRY_POINT(cuInit, 2000, cuInit)                                                                       \
  COHORT_CU_ENTRY_POINT(cuIpcCloseMemHandle, 4010, cuIpcCloseMemHandle)                                             \
  COHORT_CU_ENTRY_POINT(cuIpcGetEventHandle, 4010, cuIpcGetEventHandle)                                             \
  COHORT_CU_ENTRY_POINT(cuIpcGetMemHandle, 4010, cuIpcGetMemHandle)                                                 \
  COHORT_CU_ENTRY_POINT(cuIpcOpenEventHandle, 4010, cuIpcOpenEventHandle)                                           \
  COHORT_CU_ENTRY_POINT(cuIpcOpenMemHandle, 4010, cuIpcOpenMemHandle)                                               \
  COHORT_CU_ENTRY_POINT(cuIpcOpenMemHandle, 11000, cuIpcOpenMemHandle)                                              \
  COHORT_CU_ENTRY_POINT(cuKernelGetAttribute, 12000, cuKernelGetAttribute)                                          \
  COHORT_CU_ENTRY_POINT(cuKernelGetFunction, 12000, cuKernelGetFunction)                                            \
  COHORT_CU_ENTRY_POINT(cuKernelGetLibrary, 12050, cuKernelGetLibrary)                                              \
  COHORT_CU_ENTRY_POINT(cuKernelGetName, 12030, cuKernelGetName)                                                    \
  COHORT_CU_ENTRY_POINT(cuKernelGetParamCount, 13020, cuKernelGetParamCount)                                        \
  COHORT_CU_ENTRY_POINT(cuKernelGetParamInfo, 12040, cuKernelGetParamInfo)                                          \
  COHORT_CU_ENTRY_POINT(cuKernelSetAttribute, 12000, cuKernelSetAttribute)                                          \
  COHORT_CU_ENTRY_POINT(cuKernelSetCacheConfig, 12000, cuKernelSetCacheConfig)                                      \
  COHORT_CU_ENTRY_POINT(cuLaunch, 2000, cuLaunch)                                                                   \
  COHORT_CU_ENTRY_POINT(cuLaunchCooperativeKernel, 9000, cuLaunchCooperativeKernel)                                 \
  COHORT_CU_ENTRY_POINT(cuLaunchCooperativeKernelMultiDevice, 9000, cuLaunchCooperativeKernelMultiDevice)           \
  COHORT_CU_ENTRY_POINT(cuLaunchGrid, 2000, cuLaunchGrid)                                                           \
  COHORT_CU_ENTRY_POINT(cuLaunchGridAsync, 2000, cuLaunchGridAsync)                                                 \
  COHORT_CU_ENTRY_POINT(cuLaunchHostFunc, 10000, cuLaunchHostFunc)                                                  \
  COHORT_CU_ENTRY_POINT(cuLaunchHostFunc, 13010, cuLaunchHostFunc_v2)                                               \
  COHORT_CU_ENTRY_POINT(cuLaunchKernel, 4000, cuLaunchKernel)                                                       \
  COHORT_CU_ENTRY_POINT(cuLaunchKernelEx, 11060, cuLaunchKernelEx)                                                  \
  COHORT_CU_ENTRY_POINT(cuLibraryEnumerateKernels, 12040, cuLibraryEnumerateKernels)                                \
  COHORT_CU_ENTRY_POINT(cuLibraryGetGlobal, 12000, cuLibraryGetGlobal)                                              \
  COHORT_CU_ENTRY_POINT(cuLibraryGetKernel, 12000, cuLibraryGetKernel)                                              \
  COHORT_CU_ENTRY_POINT(cuLibraryGetKernelCount, 12040, cuLibraryGetKernelCount)                                    \
  COHORT_CU_ENTRY_POINT(cuLibraryGetManaged, 12000, cuLibraryGetManaged)                                            \
  COHORT_CU_ENTRY_POINT(cuLibraryGetModule, 12000, cuLibraryGetModule)                                              \
  COHORT_CU_ENTRY_POINT(cuLibraryGetUnifiedFunction, 12000, cuLibraryGetUnifiedFunction)                            \
  COHORT_CU_ENTRY_POINT(cuLibraryLoadData, 12000, cuLibraryLoadData)                                                \
  COHORT_CU_ENTRY_POINT(cuLibraryLoadFromFile, 12000, cuLibraryLoadFromFile)                                        \
  COHORT_CU_ENTRY_POINT(cuLibraryUnload, 12000, cuLibraryUnload)                                                    \
  COHORT_CU_ENTRY_POINT(cuLinkAddData, 5050, cuLinkAddData)                                                         \
  COHORT_CU_ENTRY_POINT(cuLinkAddData, 6050, cuLinkAddData)                                                         \
  COHORT_CU_ENTRY_POINT(cuLinkAddFile, 5050, cuLinkAddFile)                                                         \
  COHORT_CU_ENTRY_POINT(cuLinkAddFile, 6050, cuLinkAddFile)                                                         \
  COHORT_CU_ENTRY_POINT(cuLinkComplete, 5050, cuLinkComplete)                                                       \
  COHORT_CU_ENTRY_POINT(cuLinkCreate, 5050, cuLinkCreate)                                                           \
  COHORT_CU_ENTRY_POINT(cuLinkCreate, 6050, cuLinkCreate)                                                           \
  COHORT_CU_ENTRY_POINT(cuLinkDestroy, 5050, cuLinkDestroy)                                                         \
  COHORT_CU_ENTRY_POINT(cuLogsCurrent, 12090, cuLogsCurrent)                                                        \
  COHORT_CU_ENTRY_POINT(cuLogsDumpToFile, 12090, cuLogsDumpToFile)                                                  \
  COHORT_CU_ENTRY_POINT(cuLogsDumpToMemory, 12090, cuLogsDumpToMemory)                                              \
  COHORT_CU_ENTRY_POINT(cuLogsRegisterCallback, 12090, cuLogsRegisterCallback)                                      \
  COHORT_CU_ENTRY_POINT(cuLogsUnregisterCallback, 12090, cuLogsUnregisterCallback)                                  \
  COHORT_CU_ENTRY_POINT(cuMemAddressFree, 10020, cuMemAddressFree)                                                  \
  COHORT_CU_ENTRY_POINT(cuMemAddressReserve, 10020, cuMemAddressReserve)                                            \
  COHORT_CU_ENTRY_POINT(cuMemAdvise, 12020, cuMemAdvise_v2)                                                         \
  COHORT_CU_ENTRY_POINT(cuMemAlloc, 3020, cuMemAlloc)                                                               \
  COHORT_CU_ENTRY_POINT(cuMemAllocAsync, 11020, cuMemAllocAsync)                                                    \
  COHORT_CU_ENTRY_POINT(cuMemAllocFromPoolAsync, 11020, cuMemAllocFromPoolAsync)                                    \
  COHORT_CU_ENTRY_POINT(cuMemAllocHost, 3020, cuMemAllocHost)                                                       \
  COHORT_CU_ENTRY_POINT(cuMemAllocManaged, 6000, cuMemAllocManaged)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemAllocPitch, 3020, cuMemAllocPitch)                                                     \
  COHORT_CU_ENTRY_POINT(cuMemCreate, 10020, cuMemCreate)                                                            \
  COHORT_CU_ENTRY_POINT(cuMemDiscardAndPrefetchBatchAsync, 13000, cuMemDiscardAndPrefetchBatchAsync)                \
  COHORT_CU_ENTRY_POINT(cuMemDiscardBatchAsync, 13000, cuMemDiscardBatchAsync)                                      \
  COHORT_CU_ENTRY_POINT(cuMemExportToShareableHandle, 10020, cuMemExportToShareableHandle)                          \
  COHORT_CU_ENTRY_POINT(cuMemFree, 3020, cuMemFree)                                                                 \
  COHORT_CU_ENTRY_POINT(cuMemFreeAsync, 11020, cuMemFreeAsync)                                                      \
  COHORT_CU_ENTRY_POINT(cuMemFreeHost, 2000, cuMemFreeHost)                                                         \
  COHORT_CU_ENTRY_POINT(cuMemGetAccess, 10020, cuMemGetAccess)                                                      \
  COHORT_CU_ENTRY_POINT(cuMemGetAddressRange, 3020, cuMemGetAddressRange)                                           \
  COHORT_CU_ENTRY_POINT(cuMemGetAllocationGranularity, 10020, cuMemGetAllocationGranularity)                        \
  COHORT_CU_ENTRY_POINT(cuMemGetAllocationPropertiesFromHandle, 10020, cuMemGetAllocationPropertiesFromHandle)      \
  COHORT_CU_ENTRY_POINT(cuMemGetDefaultMemPool, 13000, cuMemGetDefaultMemPool)                                      \
  COHORT_CU_ENTRY_POINT(cuMemGetInfo, 3020, cuMemGetInfo)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemGetLocationInfo, 13040, cuMemGetLocationInfo)                                          \
  COHORT_CU_ENTRY_POINT(cuMemGetMemPool, 13000, cuMemGetMemPool)                                                    \
  COHORT_CU_ENTRY_POINT(cuMemHostAlloc, 2020, cuMemHostAlloc)                                                       \
  COHORT_CU_ENTRY_POINT(cuMemHostGetDevicePointer, 3020, cuMemHostGetDevicePointer)                                 \
  COHORT_CU_ENTRY_POINT(cuMemHostGetFlags, 2030, cuMemHostGetFlags)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemHostRegister, 4000, cuMemHostRegister)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemHostRegister, 6050, cuMemHostRegister)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemHostUnregister, 4000, cuMemHostUnregister)                                             \
  COHORT_CU_ENTRY_POINT(cuMemImportFromShareableHandle, 10020, cuMemImportFromShareableHandle)                      \
  COHORT_CU_ENTRY_POINT(cuMemMap, 10020, cuMemMap)                                                                  \
  COHORT_CU_ENTRY_POINT(cuMemPoolCreate, 11020, cuMemPoolCreate)                                                    \
  COHORT_CU_ENTRY_POINT(cuMemPoolDestroy, 11020, cuMemPoolDestroy)                                                  \
  COHORT_CU_ENTRY_POINT(cuMemPoolExportPointer, 11020, cuMemPoolExportPointer)                                      \
  COHORT_CU_ENTRY_POINT(cuMemPoolExportToShareableHandle, 11020, cuMemPoolExportToShareableHandle)                  \
  COHORT_CU_ENTRY_POINT(cuMemPoolGetAccess, 11020, cuMemPoolGetAccess)                                              \
  COHORT_CU_ENTRY_POINT(cuMemPoolGetAttribute, 11020, cuMemPoolGetAttribute)                                        \
  COHORT_CU_ENTRY_POINT(cuMemPoolImportFromShareableHandle, 11020, cuMemPoolImportFromShareableHandle)              \
  COHORT_CU_ENTRY_POINT(cuMemPoolImportPointer, 11020, cuMemPoolImportPointer)                                      \
  COHORT_CU_ENTRY_POINT(cuMemPoolSetAccess, 11020, cuMemPoolSetAccess)                                              \
  COHORT_CU_ENTRY_POINT(cuMemPoolSetAttribute, 11020, cuMemPoolSetAttribute)                                        \
  COHORT_CU_ENTRY_POINT(cuMemPoolTrimTo, 11020, cuMemPoolTrimTo)                                                    \
  COHORT_CU_ENTRY_POINT(cuMemPrefetchAsync, 12020, cuMemPrefetchAsync_v2)                                           \
  COHORT_CU_ENTRY_POINT(cuMemPrefetchBatchAsync, 13000, cuMemPrefetchBatchAsync)                                    \
  COHORT_CU_ENTRY_POINT(cuMemRangeGetAttribute, 8000, cuMemRangeGetAttribute)                                       \
  COHORT_CU_ENTRY_POINT(cuMemRangeGetAttributes, 8000, cuMemRangeGetAttributes)                                     \
  COHORT_CU_ENTRY_POINT(cuMemRelease, 10020, cuMemRelease)                                                          \
  COHORT_CU_ENTRY_POINT(cuMemRetainAllocationHandle, 11000, cuMemRetainAllocationHandle)                            \
  COHORT_CU_ENTRY_POINT(cuMemSetAccess, 10020, cuMemSetAccess)                                                      \
  COHORT_CU_ENTRY_POINT(cuMemSetMemPool, 13000, cuMemSetMemPool)                                                    \
  COHORT_CU_ENTRY_POINT(cuMemUnmap, 10020, cuMemUnmap)                                                              \
  COHORT_CU_ENTRY_POINT(cuMemcpy, 4000, cuMemcpy)                                                                   \
  COHORT_CU_ENTRY_POINT(cuMemcpy2D, 3020, cuMemcpy2D)                                                               \
  COHORT_CU_ENTRY_POINT(cuMemcpy2DAsync, 3020, cuMemcpy2DAsync)                                                     \
  COHORT_CU_ENTRY_POINT(cuMemcpy2DUnaligned, 3020, cuMemcpy2DUnaligned)                                             \
  COHORT_CU_ENTRY_POINT(cuMemcpy3D, 3020, cuMemcpy3D)                                                               \
  COHORT_CU_ENTRY_POINT(cuMemcpy3DAsync, 3020, cuMemcpy3DAsync)                                                     \
  COHORT_CU_ENTRY_POINT(cuMemcpy3DBatchAsync, 13000, cuMemcpy3DBatchAsync_v2)                                       \
  COHORT_CU_ENTRY_POINT(cuMemcpy3DPeer, 4000, cuMemcpy3DPeer)                                                       \
  COHORT_CU_ENTRY_POINT(cuMemcpy3DPeerAsync, 4000, cuMemcpy3DPeerAsync)                                             \
  COHORT_CU_ENTRY_POINT(cuMemcpy3DWithAttributesAsync, 13020, cuMemcpy3DWithAttributesAsync)                        \
  COHORT_CU_ENTRY_POINT(cuMemcpyAsync, 4000, cuMemcpyAsync)                                                         \
  COHORT_CU_ENTRY_POINT(cuMemcpyAtoA, 3020, cuMemcpyAtoA)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyAtoD, 3020, cuMemcpyAtoD)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyAtoH, 3020, cuMemcpyAtoH)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyAtoHAsync, 3020, cuMemcpyAtoHAsync)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemcpyBatchAsync, 13000, cuMemcpyBatchAsync_v2)                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyDtoA, 3020, cuMemcpyDtoA)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyDtoD, 3020, cuMemcpyDtoD)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyDtoDAsync, 3020, cuMemcpyDtoDAsync)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemcpyDtoH, 3020, cuMemcpyDtoH)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyDtoHAsync, 3020, cuMemcpyDtoHAsync)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemcpyHtoA, 3020, cuMemcpyHtoA)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyHtoAAsync, 3020, cuMemcpyHtoAAsync)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemcpyHtoD, 3020, cuMemcpyHtoD)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyHtoDAsync, 3020, cuMemcpyHtoDAsync)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemcpyPeer, 4000, cuMemcpyPeer)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemcpyPeerAsync, 4000, cuMemcpyPeerAsync)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemcpyWithAttributesAsync, 13020, cuMemcpyWithAttributesAsync)                            \
  COHORT_CU_ENTRY_POINT(cuMemsetD16, 3020, cuMemsetD16)                                                             \
  COHORT_CU_ENTRY_POINT(cuMemsetD16Async, 3020, cuMemsetD16Async)                                                   \
  COHORT_CU_ENTRY_POINT(cuMemsetD2D16, 3020, cuMemsetD2D16)                                                         \
  COHORT_CU_ENTRY_POINT(cuMemsetD2D16Async, 3020, cuMemsetD2D16Async)                                               \
  COHORT_CU_ENTRY_POINT(cuMemsetD2D32, 3020, cuMemsetD2D32)                                                         \
  COHORT_CU_ENTRY_POINT(cuMemsetD2D32Async, 3020, cuMemsetD2D32Async)                                               \
  COHORT_CU_ENTRY_POINT(cuMemsetD2D8, 3020, cuMemsetD2D8)                                                           \
  COHORT_CU_ENTRY_POINT(cuMemsetD2D8Async, 3020, cuMemsetD2D8Async)                                                 \
  COHORT_CU_ENTRY_POINT(cuMemsetD32, 3020, cuMemsetD32)                                                             \
  COHORT_CU_ENTRY_POINT(cuMemsetD32Async, 3020, cuMemsetD32Async)                                                   \
  COHORT_CU_ENTRY_POINT(cuMemsetD8, 3020, cuMemsetD8)                                                               \
  COHORT_CU_ENTRY_POINT(cuMemsetD8Async, 3020, cuMemsetD8Async)                                                     \
  COHORT_CU_ENTRY_POINT(cuMipmappedArrayCreate, 5000, cuMipmappedArrayCreate)                                       \
  COHORT_CU_ENTRY_POINT(cuMipmappedArrayDestroy, 5000, cuMipmappedArrayDestroy)                                     \
  COHORT_CU_ENTRY_POINT(cuMipmappedArrayGetLevel, 5000, cuMipmappedArrayGetLevel)                                   \
  COHORT_CU_ENTRY_POINT(cuMipmappedArrayGetMemoryRequirements, 11060, cuMipmappedArrayGetMemoryRequirements)        \
  COHORT_CU_ENTRY_POINT(cuMipmappedArrayGetSparseProperties, 11010, cuMipmappedArrayGetSparseProperties)            \
  COHORT_CU_ENTRY_POINT(cuModuleEnumerateFunctions, 12040, cuModuleEnumerateFunctions)                              \
  COHORT_CU_ENTRY_POINT(cuModuleGetFunction, 2000, cuModuleGetFunction)                                             \
  COHORT_CU_ENTRY_POINT(cuModuleGetFunctionCount, 12040, cuModuleGetFunctionCount)                                  \
  COHORT_CU_ENTRY_POINT(cuModuleGetGlobal, 3020, cuModuleGetGlobal)                                                 \
  COHORT_CU_ENTRY_POINT(cuModuleGetLoadingMode, 11070, cuModuleGetLoadingMode)                                      \
  COHORT_CU_ENTRY_POINT(cuModuleGetSurfRef, 3000, cuModuleGetSurfRef)                                               \
  COHORT_CU_ENTRY_POINT(cuModuleGetTexRef, 2000, cuModuleGetTexRef)                                                 \
  COHORT_CU_ENTRY_POINT(cuModuleLoad, 2000, cuModuleLoad)                                                           \
  COHORT_CU_ENTRY_POINT(cuModuleLoadData, 2000, cuModuleLoadData)                                                   \
  COHORT_CU_ENTRY_POINT(cuModuleLoadDataEx, 2010, cuModuleLoadDataEx)                                               \
  COHORT_CU_ENTRY_POINT(cuModuleLoadFatBinary, 2000, cuModuleLoadFatBinary)                                         \
  COHORT_CU_ENTRY_POINT(cuModuleUnload, 2000, cuModuleUnload)                                                       \
  COHORT_CU_ENTRY_POINT(cuMulticastAddDevice, 12010, cuMulticastAddDevice)                                          \
  COHORT_CU_ENTRY_POINT(cuMulticastBindAddr, 12010, cuMulticastBindAddr)                                            \
  COHORT_CU_ENTRY_POINT(cuMulticastBindMem, 12010, cuMulticastBindMem)                                              \
  COHORT_CU_ENTRY_POINT(cuMulticastCreate, 12010, cuMulticastCreate)                                                \
  COHORT_CU_ENTRY_POINT(cuMulticastGetGranularity, 12010, cuMulticastGetGranularity)                                \
  COHORT_CU_ENTRY_POINT(cuMulticastUnbind, 12010, cuMulticastUnbind)                                                \
  COHORT_CU_ENTRY_POINT(cuOccupancyAvailableDynamicSMemPerBlock, 10020, cuOccupancyAvailableDynamicSMemPerBlock)    \
  COHORT_CU_ENTRY_POINT(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050,                                          \
                        cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                \
  COHORT_CU_ENTRY_POINT(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000,                                 \
                        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)                                       \
  COHORT_CU_ENTRY_POINT(cuOccupancyMaxActiveClusters, 11070, cuOccupancyMaxActiveClusters)                          \
  COHORT_CU_ENTRY_POINT(cuOccupancyMaxPotentialBlockSize, 6050, cuOccupancyMaxPotentialBlockSize)                   \
  COHORT_CU_ENTRY_POINT(cuOccupancyMaxPotentialBlockSizeWithFlags, 7000, cuOccupancyMaxPotentialBlockSizeWithFlags) \
  COHORT_CU_ENTRY_POINT(cuOccupancyMaxPotentialClusterSize, 11070, cuOccupancyMaxPotentialClusterSize)              \
  COHORT_CU_ENTRY_POINT(cuParamSetSize, 2000, cuParamSetSize)                                                       \
  COHORT_CU_ENTRY_POINT(cuParamSetTexRef, 2000, cuParamSetTexRef)                                                   \
  COHORT_CU_ENTRY_POINT(cuParamSetf, 2000, cuParamSetf)                                                             \
  COHORT_CU_ENTRY_POINT(cuParamSeti, 2000, cuParamSeti)                                                             \
  COHORT_CU_ENTRY_POINT(cuParamSetv, 2000, cuParamSetv)                                                             \
  COHORT_CU_ENTRY_POINT(cuPointerGetAttribute, 4000, cuPointerGetAttribute)                                         \
  COHORT_CU_ENTRY_POINT(cuPointerGetAttributes, 7000, cuPointerGetAttributes)                                       \
  COHORT_CU_ENTRY_POINT(cuPointerSetAttribute, 6000, cuPointerSetAttribute)                                         \
  COHORT_CU_ENTRY_POINT(cuProfilerInitialize, 4000, cuProfilerInitialize)                                           \
  COHORT_CU_ENTRY_POINT(cuProfilerStart, 4000, cuProfilerStart)                                                     \
  COHORT_CU_ENTRY_POINT(cuProfilerStop, 4000, cuProfilerStop)                                                       \
  COHORT_CU_ENTRY_POINT(cuSignalExternalSemaphoresAsync, 10000, cuSignalExternalSemaphoresAsync)                    \
  COHORT_CU_ENTRY_POINT(cuStreamAddCallback, 5000, cuStreamAddCallback)                                             \
  COHORT_CU_ENTRY_POINT(cuStreamAttachMemAsync, 6000, cuStreamAttachMemAsync)                                       \
  COHORT_CU_ENTRY_POINT(cuStreamBatchMemOp, 8000, cuStreamBatchMemOp)                                               \
  COHORT_CU_ENTRY_POINT(cuStreamBatchMemOp, 11070, cuStreamBatchMemOp)                                              \
  COHORT_CU_ENTRY_POINT(cuStreamBeginCapture, 10010, cuStreamBeginCapture_v2)                                       \
  COHORT_CU_ENTRY_POINT(cuStreamBeginCaptureToGraph, 12030, cuStreamBeginCaptureToGraph)                            \
  COHORT_CU_ENTRY_POINT(cuStreamCopyAttributes, 11000, cuStreamCopyAttributes)                                      \
  COHORT_CU_ENTRY_POINT(cuStreamCreate, 2000, cuStreamCreate)                                                       \
  COHORT_CU_ENTRY_POINT(cuStreamCreateWithPriority, 5050, cuStreamCreateWithPriority)                               \
  COHORT_CU_ENTRY_POINT(cuStreamDestroy, 2000, cuStreamDestroy)                                                     \
  COHORT_CU_ENTRY_POINT(cuStreamDestroy, 4000, cuStreamDestroy)                                                     \
  COHORT_CU_ENTRY_POINT(cuStreamEndCapture, 10000, cuStreamEndCapture)                                              \
  COHORT_CU_ENTRY_POINT(cuStreamGetAttribute, 11000, cuStreamGetAttribute)                                          \
  COHORT_CU_ENTRY_POINT(cuStreamGetCaptureInfo, 12030, cuStreamGetCaptureInfo_v3)                                   \
  COHORT_CU_ENTRY_POINT(cuStreamGetCtx, 9020, cuStreamGetCtx)                                                       \
  COHORT_CU_ENTRY_POINT(cuStreamGetCtx, 12050, cuStreamGetCtx_v2)                                                   \
  COHORT_CU_ENTRY_POINT(cuStreamGetDevResource, 13010, cuStreamGetDevResource)                                      \
  COHORT_CU_ENTRY_POINT(cuStreamGetDevice, 12080, cuStreamGetDevice)                                                \
  COHORT_CU_ENTRY_POINT(cuStreamGetFlags, 5050, cuStreamGetFlags)                                                   \
  COHORT_CU_ENTRY_POINT(cuStreamGetGreenCtx, 12040, cuStreamGetGreenCtx)                                            \
  COHORT_CU_ENTRY_POINT(cuStreamGetId, 12000, cuStreamGetId)                                                        \
  COHORT_CU_ENTRY_POINT(cuStreamGetPriority, 5050, cuStreamGetPriority)                                             \
  COHORT_CU_ENTRY_POINT(cuStreamIsCapturing, 10000, cuStreamIsCapturing)                                            \
  COHORT_CU_ENTRY_POINT(cuStreamQuery, 2000, cuStreamQuery)                                                         \
  COHORT_CU_ENTRY_POINT(cuStreamSetAttribute, 11000, cuStreamSetAttribute)                                          \
  COHORT_CU_ENTRY_POINT(cuStreamSynchronize, 2000, cuStreamSynchronize)                                             \
  COHORT_CU_ENTRY_POINT(cuStreamUpdateCaptureDependencies, 12030, cuStreamUpdateCaptureDependencies_v2)             \
  COHORT_CU_ENTRY_POINT(cuStreamWaitEvent, 3020, cuStreamWaitEvent)                                                 \
  COHORT_CU_ENTRY_POINT(cuStreamWaitValue32, 8000, cuStreamWaitValue32)                                             \
  COHORT_CU_ENTRY_POINT(cuStreamWaitValue32, 11070, cuStreamWaitValue32)                                            \
  COHORT_CU_ENTRY_POINT(cuStreamWaitValue64, 9000, cuStreamWaitValue64)                                             \
  COHORT_CU_ENTRY_POINT(cuStreamWaitValue64, 11070, cuStreamWaitValue64)                                            \
  COHORT_CU_ENTRY_POINT(cuStreamWriteValue32, 8000, cuStreamWriteValue32)                                           \
  COHORT_CU_ENTRY_POINT(cuStreamWriteValue32, 11070, cuStreamWriteValue32)                                          \
  COHORT_CU_ENTRY_POINT(cuStreamWriteValue64, 9000, cuStreamWriteValue64)                                           \
  COHORT_CU_ENTRY_POINT(cuStreamWriteValue64, 11070, cuStreamWriteValue64)                                          \
  COHORT_CU_ENTRY_POINT(cuSurfObjectCreate, 5000, cuSurfObjectCreate)                                               \
  COHORT_CU_ENTRY_POINT(cuSurfObjectDestroy, 5000, cuSurfObjectDestroy)                                             \
  COHORT_CU_ENTRY_POINT(cuSurfObjectGetResourceDesc, 5000, cuSurfObjectGetResourceDesc)                             \
  COHORT_CU_ENTRY_POINT(cuSurfRefGetArray, 3000, cuSurfRefGetArray)                                                 \
  COHORT_CU_ENTRY_POINT(cuSurfRefSetArray, 3000, cuSurfRefSetArray)                                                 \
  COHORT_CU_ENTRY_POINT(cuTensorMapEncodeIm2col, 12000, cuTensorMapEncodeIm2col)                                    \
  COHORT_CU_ENTRY_POINT(cuTensorMapEncodeIm2colWide, 12080, cuTensorMapEncodeIm2colWide)                            \
  COHORT_CU_ENTRY_POINT(cuTensorMapEncodeTiled, 12000, cuTensorMapEncodeTiled)                                      \
  COHORT_CU_ENTRY_POINT(cuTensorMapReplaceAddress, 12000, cuTensorMapReplaceAddress)                                \
  COHORT_CU_ENTRY_POINT(cuTexObjectCreate, 5000, cuTexObjectCreate)                                                 \
  COHORT_CU_ENTRY_POINT(cuTexObjectDestroy, 5000, cuTexObjectDestroy)                                               \
  COHORT_CU_ENTRY_POINT(cuTexObjectGetResourceDesc, 5000, cuTexObjectGetResourceDesc)                               \
  COHORT_CU_ENTRY_POINT(cuTexObjectGetResourceViewDesc, 5000, cuTexObjectGetResourceViewDesc)                       \
  COHORT_CU_ENTRY_POINT(cuTexObjectGetTextureDesc, 5000, cuTexObjectGetTextureDesc)                                 \
  COHORT_CU_ENTRY_POINT(cuTexRefCreate, 2000, cuTexRefCreate)                                                       \
  COHORT_CU_ENTRY_POINT(cuTexRefDestroy, 2000, cuTexRefDestroy)                                                     \
  COHORT_CU_ENTRY_POINT(cuTexRefGetAddress, 3020, cuTexRefGetAddress)                                               \
  COHORT_CU_ENTRY_POINT(cuTexRefGetAddressMode, 2000, cuTexRefGetAddressMode)                                       \
  COHORT_CU_ENTRY_POINT(cuTexRefGetArray, 2000, cuTexRefGetArray)                                                   \
  COHORT_CU_ENTRY_POINT(cuTexRefGetBorderColor, 8000, cuTexRefGetBorderColor)                                       \
  COHORT_CU_ENTRY_POINT(cuTexRefGetFilterMode, 2000, cuTexRefGetFilterMode)                                         \
  COHORT_CU_ENTRY_POINT(cuTexRefGetFlags, 2000, cuTexRefGetFlags)                                                   \
  COHORT_CU_ENTRY_POINT(cuTexRefGetFormat, 2000, cuTexRefGetFormat)                                                 \
  COHORT_CU_ENTRY_POINT(cuTexRefGetMaxAnisotropy, 5000, cuTexRefGetMaxAnisotropy)                                   \
  COHORT_CU_ENTRY_POINT(cuTexRefGetMipmapFilterMode, 5000, cuTexRefGetMipmapFilterMode)                             \
  COHORT_CU_ENTRY_POINT(cuTexRefGetMipmapLevelBias, 5000, cuTexRefGetMipmapLevelBias)                               \
  COHORT_CU_ENTRY_POINT(cuTexRefGetMipmapLevelClamp, 5000, cuTexRefGetMipmapLevelClamp)                             \
  COHORT_CU_ENTRY_POINT(cuTexRefGetMipmappedArray, 5000, cuTexRefGetMipmappedArray)                                 \
  COHORT_CU_ENTRY_POINT(cuTexRefSetAddress, 3020, cuTexRefSetAddress)                                               \
  COHORT_CU_ENTRY_POINT(cuTexRefSetAddress2D, 3020, cuTexRefSetAddress2D)                                           \
  COHORT_CU_ENTRY_POINT(cuTexRefSetAddress2D, 4010, cuTexRefSetAddress2D)                                           \
  COHORT_CU_ENTRY_POINT(cuTexRefSetAddressMode, 2000, cuTexRefSetAddressMode)                                       \
  COHORT_CU_ENTRY_POINT(cuTexRefSetArray, 2000, cuTexRefSetArray)                                                   \
  COHORT_CU_ENTRY_POINT(cuTexRefSetBorderColor, 8000, cuTexRefSetBorderColor)                                       \
  COHORT_CU_ENTRY_POINT(cuTexRefSetFilterMode, 2000, cuTexRefSetFilterMode)                                         \
  COHORT_CU_ENTRY_POINT(cuTexRefSetFlags, 2000, cuTexRefSetFlags)                                                   \
  COHORT_CU_ENTRY_POINT(cuTexRefSetFormat, 2000, cuTexRefSetFormat)                                                 \
  COHORT_CU_ENTRY_POINT(cuTexRefSetMaxAnisotropy, 5000, cuTexRefSetMaxAnisotropy)                                   \
  COHORT_CU_ENTRY_POINT(cuTexRefSetMipmapFilterMode, 5000, cuTexRefSetMipmapFilterMode)                             \
  COHORT_CU_ENTRY_POINT(cuTexRefSetMipmapLevelBias, 5000, cuTexRefSetMipmapLevelBias)                               \
  COHORT_CU_ENTRY_POINT(cuTexRefSetMipmapLevelClamp, 5000, cuTexRefSetMipmapLevelClamp)                             \
  COHORT_CU_ENTRY_POINT(cuTexRefSetMipmappedArray, 5000, cuTexRefSetMipmappedArray)                                 \
  COHORT_CU_ENTRY_POINT(cuThreadExchangeStreamCaptureMode, 10010, cuThreadExchangeStreamCaptureMode)                \
  COHORT_CU_ENTRY_POINT(cuUserObjectCreate, 11030, cuUserObjectCreate)                                              \
  COHORT_CU_ENTRY_POINT(cuUserObjectRelease, 11030, cuUserObjectRelease)                                            \
  COHORT_CU_ENTRY_POINT(cuUserObjectRetain, 11030, cuUserObjectRetain)                                              \
  COHORT_CU_ENTRY_POINT(cuWaitExternalSemaphoresAsync, 10000, cuWaitExternalSemaphoresAsync)

// Stream 0 is that of the thread. The function's own name has the ending.
#define COHORT_CU_THREAD_ENTRY_POINTS(COHORT_CU_THREAD_ENTRY_POINT)                                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuEventRecord, 7000, cuEventRecord, _ptsz)                                             \
  COHORT_CU_THREAD_ENTRY_POINT(cuEventRecordWithFlags, 11010, cuEventRecordWithFlags, _ptsz)                          \
  COHORT_CU_THREAD_ENTRY_POINT(cuGetProcAddress, 12000, cuGetProcAddress_v2, _ptsz)                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuGraphInstantiateWithParams, 12000, cuGraphInstantiateWithParams, _ptsz)              \
  COHORT_CU_THREAD_ENTRY_POINT(cuGraphLaunch, 10000, cuGraphLaunch, _ptsz)                                            \
  COHORT_CU_THREAD_ENTRY_POINT(cuGraphUpload, 11010, cuGraphUpload, _ptsz)                                            \
  COHORT_CU_THREAD_ENTRY_POINT(cuLaunchCooperativeKernel, 9000, cuLaunchCooperativeKernel, _ptsz)                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuLaunchHostFunc, 10000, cuLaunchHostFunc, _ptsz)                                      \
  COHORT_CU_THREAD_ENTRY_POINT(cuLaunchHostFunc, 13010, cuLaunchHostFunc_v2, _ptsz)                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuLaunchKernel, 7000, cuLaunchKernel, _ptsz)                                           \
  COHORT_CU_THREAD_ENTRY_POINT(cuLaunchKernelEx, 11060, cuLaunchKernelEx, _ptsz)                                      \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemAllocAsync, 11020, cuMemAllocAsync, _ptsz)                                        \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemAllocFromPoolAsync, 11020, cuMemAllocFromPoolAsync, _ptsz)                        \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemDiscardAndPrefetchBatchAsync, 13000, cuMemDiscardAndPrefetchBatchAsync, _ptsz)    \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemDiscardBatchAsync, 13000, cuMemDiscardBatchAsync, _ptsz)                          \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemFreeAsync, 11020, cuMemFreeAsync, _ptsz)                                          \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemPrefetchAsync, 12020, cuMemPrefetchAsync_v2, _ptsz)                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemPrefetchBatchAsync, 13000, cuMemPrefetchBatchAsync, _ptsz)                        \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy, 7000, cuMemcpy, _ptds)                                                       \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy2D, 7000, cuMemcpy2D, _ptds)                                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy2DAsync, 7000, cuMemcpy2DAsync, _ptsz)                                         \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy2DUnaligned, 7000, cuMemcpy2DUnaligned, _ptds)                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy3D, 7000, cuMemcpy3D, _ptds)                                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy3DAsync, 7000, cuMemcpy3DAsync, _ptsz)                                         \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy3DBatchAsync, 13000, cuMemcpy3DBatchAsync_v2, _ptsz)                           \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy3DPeer, 7000, cuMemcpy3DPeer, _ptds)                                           \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy3DPeerAsync, 7000, cuMemcpy3DPeerAsync, _ptsz)                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpy3DWithAttributesAsync, 13020, cuMemcpy3DWithAttributesAsync, _ptsz)            \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyAsync, 7000, cuMemcpyAsync, _ptsz)                                             \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyAtoA, 7000, cuMemcpyAtoA, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyAtoD, 7000, cuMemcpyAtoD, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyAtoH, 7000, cuMemcpyAtoH, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyAtoHAsync, 7000, cuMemcpyAtoHAsync, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyBatchAsync, 13000, cuMemcpyBatchAsync_v2, _ptsz)                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyDtoA, 7000, cuMemcpyDtoA, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyDtoD, 7000, cuMemcpyDtoD, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyDtoDAsync, 7000, cuMemcpyDtoDAsync, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyDtoH, 7000, cuMemcpyDtoH, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyDtoHAsync, 7000, cuMemcpyDtoHAsync, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyHtoA, 7000, cuMemcpyHtoA, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyHtoAAsync, 7000, cuMemcpyHtoAAsync, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyHtoD, 7000, cuMemcpyHtoD, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyHtoDAsync, 7000, cuMemcpyHtoDAsync, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyPeer, 7000, cuMemcpyPeer, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyPeerAsync, 7000, cuMemcpyPeerAsync, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemcpyWithAttributesAsync, 13020, cuMemcpyWithAttributesAsync, _ptsz)                \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD16, 7000, cuMemsetD16, _ptds)                                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD16Async, 7000, cuMemsetD16Async, _ptsz)                                       \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD2D16, 7000, cuMemsetD2D16, _ptds)                                             \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD2D16Async, 7000, cuMemsetD2D16Async, _ptsz)                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD2D32, 7000, cuMemsetD2D32, _ptds)                                             \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD2D32Async, 7000, cuMemsetD2D32Async, _ptsz)                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD2D8, 7000, cuMemsetD2D8, _ptds)                                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD2D8Async, 7000, cuMemsetD2D8Async, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD32, 7000, cuMemsetD32, _ptds)                                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD32Async, 7000, cuMemsetD32Async, _ptsz)                                       \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD8, 7000, cuMemsetD8, _ptds)                                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuMemsetD8Async, 7000, cuMemsetD8Async, _ptsz)                                         \
  COHORT_CU_THREAD_ENTRY_POINT(cuSignalExternalSemaphoresAsync, 10000, cuSignalExternalSemaphoresAsync, _ptsz)        \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamAddCallback, 7000, cuStreamAddCallback, _ptsz)                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamAttachMemAsync, 7000, cuStreamAttachMemAsync, _ptsz)                           \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamBatchMemOp, 8000, cuStreamBatchMemOp, _ptsz)                                   \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamBatchMemOp, 11070, cuStreamBatchMemOp, _ptsz)                                  \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamBeginCapture, 10010, cuStreamBeginCapture_v2, _ptsz)                           \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamBeginCaptureToGraph, 12030, cuStreamBeginCaptureToGraph, _ptsz)                \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamCopyAttributes, 11000, cuStreamCopyAttributes, _ptsz)                          \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamEndCapture, 10000, cuStreamEndCapture, _ptsz)                                  \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetAttribute, 11000, cuStreamGetAttribute, _ptsz)                              \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetCaptureInfo, 12030, cuStreamGetCaptureInfo_v3, _ptsz)                       \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetCtx, 9020, cuStreamGetCtx, _ptsz)                                           \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetCtx, 12050, cuStreamGetCtx_v2, _ptsz)                                       \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetDevResource, 13010, cuStreamGetDevResource, _ptsz)                          \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetDevice, 12080, cuStreamGetDevice, _ptsz)                                    \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetFlags, 7000, cuStreamGetFlags, _ptsz)                                       \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetId, 12000, cuStreamGetId, _ptsz)                                            \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamGetPriority, 7000, cuStreamGetPriority, _ptsz)                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamIsCapturing, 10000, cuStreamIsCapturing, _ptsz)                                \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamQuery, 7000, cuStreamQuery, _ptsz)                                             \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamSetAttribute, 11000, cuStreamSetAttribute, _ptsz)                              \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamSynchronize, 7000, cuStreamSynchronize, _ptsz)                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamUpdateCaptureDependencies, 12030, cuStreamUpdateCaptureDependencies_v2, _ptsz) \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWaitEvent, 7000, cuStreamWaitEvent, _ptsz)                                     \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWaitValue32, 8000, cuStreamWaitValue32, _ptsz)                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWaitValue32, 11070, cuStreamWaitValue32, _ptsz)                                \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWaitValue64, 9000, cuStreamWaitValue64, _ptsz)                                 \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWaitValue64, 11070, cuStreamWaitValue64, _ptsz)                                \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWriteValue32, 8000, cuStreamWriteValue32, _ptsz)                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWriteValue32, 11070, cuStreamWriteValue32, _ptsz)                              \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWriteValue64, 9000, cuStreamWriteValue64, _ptsz)                               \
  COHORT_CU_THREAD_ENTRY_POINT(cuStreamWriteValue64, 11070, cuStreamWriteValue64, _ptsz)                              \
  COHORT_CU_THREAD_ENTRY_POINT(cuWaitExternalSemaphoresAsync, 10000, cuWaitExternalSemaphoresAsync, _ptsz)
