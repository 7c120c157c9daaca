// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <climits>
#include <optional>

#include "runtime/device/device_properties.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

int as_int(size_t value) { return static_cast<int>(std::min<size_t>(value, INT_MAX)); }

std::optional<int> find_attribute(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return as_int(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return as_int(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxPitch:
      return as_int(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrClockRate:
      return p.clockRate;
    case cudaDevAttrGpuOverlap:
      return p.deviceOverlap;
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrKernelExecTimeout:
      return p.kernelExecTimeoutEnabled;
    case cudaDevAttrIntegrated:
      return p.integrated;
    case cudaDevAttrCanMapHostMemory:
      return p.canMapHostMemory;
    case cudaDevAttrComputeMode:
      return p.computeMode;
    case cudaDevAttrConcurrentKernels:
      return p.concurrentKernels;
    case cudaDevAttrEccEnabled:
      return p.ECCEnabled;
    case cudaDevAttrPciBusId:
      return p.pciBusID;
    case cudaDevAttrPciDeviceId:
      return p.pciDeviceID;
    case cudaDevAttrPciDomainId:
      return p.pciDomainID;
    case cudaDevAttrTccDriver:
      return p.tccDriver;
    case cudaDevAttrGlobalMemoryBusWidth:
      return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing:
      return p.unifiedAddressing;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrStreamPrioritiesSupported:
      return p.streamPrioritiesSupported;
    case cudaDevAttrGlobalL1CacheSupported:
      return p.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported:
      return p.localL1CacheSupported;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return as_int(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrManagedMemory:
      return p.managedMemory;
    case cudaDevAttrIsMultiGpuBoard:
      return p.isMultiGpuBoard;
    case cudaDevAttrMultiGpuBoardGroupID:
      return p.multiGpuBoardGroupID;
    case cudaDevAttrHostNativeAtomicSupported:
      return p.hostNativeAtomicSupported;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return p.singleToDoublePrecisionPerfRatio;
    case cudaDevAttrPageableMemoryAccess:
      return p.pageableMemoryAccess;
    case cudaDevAttrConcurrentManagedAccess:
      return p.concurrentManagedAccess;
    case cudaDevAttrComputePreemptionSupported:
      return p.computePreemptionSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return p.canUseHostPointerForRegisteredMem;
    case cudaDevAttrCooperativeLaunch:
      return p.cooperativeLaunch;
    case cudaDevAttrCooperativeMultiDeviceLaunch:
      return p.cooperativeMultiDeviceLaunch;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return as_int(p.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported:
      return p.hostRegisterSupported;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
      return p.pageableMemoryAccessUsesHostPageTables;
    case cudaDevAttrDirectManagedMemAccessFromHost:
      return p.directManagedMemAccessFromHost;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrMaxPersistingL2CacheSize:
      return p.persistingL2CacheMaxSize;
    case cudaDevAttrMaxAccessPolicyWindowSize:
      return p.accessPolicyMaxWindowSize;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return as_int(p.reservedSharedMemPerBlock);
    case cudaDevAttrHostRegisterReadOnlySupported:
      return p.hostRegisterReadOnlySupported;
    case cudaDevAttrMemoryPoolsSupported:
      return p.memoryPoolsSupported;
    case cudaDevAttrMemoryPoolSupportedHandleTypes:
      return as_int(p.memoryPoolSupportedHandleTypes);
    case cudaDevAttrClusterLaunch:
      return p.clusterLaunch;
    case cudaDevAttrIpcEventSupport:
      return p.ipcEventSupported;
    case cudaDevAttrTextureAlignment:
      return as_int(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return as_int(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return as_int(p.surfaceAlignment);
    case cudaDevAttrMaxTexture1DWidth:
      return p.maxTexture1D;
    case cudaDevAttrMaxTexture1DLinearWidth:
      return p.maxTexture1DLinear;
    case cudaDevAttrMaxTexture1DMipmappedWidth:
      return p.maxTexture1DMipmap;
    case cudaDevAttrMaxTexture1DLayeredWidth:
      return p.maxTexture1DLayered[0];
    case cudaDevAttrMaxTexture1DLayeredLayers:
      return p.maxTexture1DLayered[1];
    case cudaDevAttrMaxTexture2DWidth:
      return p.maxTexture2D[0];
    case cudaDevAttrMaxTexture2DHeight:
      return p.maxTexture2D[1];
    case cudaDevAttrMaxTexture2DMipmappedWidth:
      return p.maxTexture2DMipmap[0];
    case cudaDevAttrMaxTexture2DMipmappedHeight:
      return p.maxTexture2DMipmap[1];
    case cudaDevAttrMaxTexture2DLinearWidth:
      return p.maxTexture2DLinear[0];
    case cudaDevAttrMaxTexture2DLinearHeight:
      return p.maxTexture2DLinear[1];
    case cudaDevAttrMaxTexture2DLinearPitch:
      return p.maxTexture2DLinear[2];
    case cudaDevAttrMaxTexture2DGatherWidth:
      return p.maxTexture2DGather[0];
    case cudaDevAttrMaxTexture2DGatherHeight:
      return p.maxTexture2DGather[1];
    case cudaDevAttrMaxTexture2DLayeredWidth:
      return p.maxTexture2DLayered[0];
    case cudaDevAttrMaxTexture2DLayeredHeight:
      return p.maxTexture2DLayered[1];
    case cudaDevAttrMaxTexture2DLayeredLayers:
      return p.maxTexture2DLayered[2];
    case cudaDevAttrMaxTexture3DWidth:
      return p.maxTexture3D[0];
    case cudaDevAttrMaxTexture3DHeight:
      return p.maxTexture3D[1];
    case cudaDevAttrMaxTexture3DDepth:
      return p.maxTexture3D[2];
    case cudaDevAttrMaxTexture3DWidthAlt:
      return p.maxTexture3DAlt[0];
    case cudaDevAttrMaxTexture3DHeightAlt:
      return p.maxTexture3DAlt[1];
    case cudaDevAttrMaxTexture3DDepthAlt:
      return p.maxTexture3DAlt[2];
    case cudaDevAttrMaxTextureCubemapWidth:
      return p.maxTextureCubemap;
    case cudaDevAttrMaxTextureCubemapLayeredWidth:
      return p.maxTextureCubemapLayered[0];
    case cudaDevAttrMaxTextureCubemapLayeredLayers:
      return p.maxTextureCubemapLayered[1];
    case cudaDevAttrMaxSurface1DWidth:
      return p.maxSurface1D;
    case cudaDevAttrMaxSurface1DLayeredWidth:
      return p.maxSurface1DLayered[0];
    case cudaDevAttrMaxSurface1DLayeredLayers:
      return p.maxSurface1DLayered[1];
    case cudaDevAttrMaxSurface2DWidth:
      return p.maxSurface2D[0];
    case cudaDevAttrMaxSurface2DHeight:
      return p.maxSurface2D[1];
    case cudaDevAttrMaxSurface2DLayeredWidth:
      return p.maxSurface2DLayered[0];
    case cudaDevAttrMaxSurface2DLayeredHeight:
      return p.maxSurface2DLayered[1];
    case cudaDevAttrMaxSurface2DLayeredLayers:
      return p.maxSurface2DLayered[2];
    case cudaDevAttrMaxSurface3DWidth:
      return p.maxSurface3D[0];
    case cudaDevAttrMaxSurface3DHeight:
      return p.maxSurface3D[1];
    case cudaDevAttrMaxSurface3DDepth:
      return p.maxSurface3D[2];
    case cudaDevAttrMaxSurfaceCubemapWidth:
      return p.maxSurfaceCubemap;
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
      return p.maxSurfaceCubemapLayered[0];
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
      return p.maxSurfaceCubemapLayered[1];
    // Properties of hardware that a CPU lacks.
    case cudaDevAttrReserved92:
    case cudaDevAttrReserved93:
    case cudaDevAttrReserved94:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrSparseCudaArraySupported:
    case cudaDevAttrTimelineSemaphoreInteropSupported:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
    case cudaDevAttrGPUDirectRDMAWritesOrdering:
    case cudaDevAttrDeferredMappingCudaArraySupported:
    case cudaDevAttrReserved122:
    case cudaDevAttrReserved123:
    case cudaDevAttrReserved124:
    case cudaDevAttrMemSyncDomainCount:
    case cudaDevAttrReserved127:
    case cudaDevAttrReserved128:
    case cudaDevAttrReserved129:
    case cudaDevAttrNumaConfig:
    case cudaDevAttrNumaId:
    case cudaDevAttrReserved132:
    case cudaDevAttrMpsEnabled:
    case cudaDevAttrHostNumaId:
    case cudaDevAttrD3D12CigSupported:
    case cudaDevAttrVulkanCigSupported:
    case cudaDevAttrGpuPciDeviceId:
    case cudaDevAttrGpuPciSubsystemId:
    case cudaDevAttrReserved141:
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrHostNumaMultinodeIpcSupported:
    case cudaDevAttrHostMemoryPoolsSupported:
    case cudaDevAttrReserved145:
    case cudaDevAttrOnlyPartialHostNativeAtomicSupported:
      return 0;
    case cudaDevAttrMemoryClockRate:
      return memory_clock();
    case cudaDevAttrMax:
      break;
  }
  return std::nullopt;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return host_call([&] {
    if (!value) return cudaErrorInvalidValue;
    if (device < 0 || device >= device_count()) return cudaErrorInvalidDevice;
    const std::optional<int> found = find_attribute(known_properties(device), attribute);
    if (found) *value = *found;
    return found ? cudaSuccess : cudaErrorInvalidValue;
  });
}
