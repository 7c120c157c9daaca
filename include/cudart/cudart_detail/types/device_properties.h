// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaDeviceProp: the union of the fields of CUDA 11 to 13. Fields that a CPU lacks are 0; docs/cuda-runtime.md lists
// them.
#pragma once

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;
#endif
typedef struct CUuuid_st cudaUUID_t;

struct cudaDeviceProp {
  // Identity
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  int major;
  int minor;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  unsigned int gpuPciDeviceID;
  unsigned int gpuPciSubsystemID;
  int tccDriver;
  int integrated;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int computeMode;

  // Limits of a launch
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int multiProcessorCount;
  int maxThreadsPerMultiProcessor;
  int maxBlocksPerMultiProcessor;
  size_t sharedMemPerBlock;
  size_t sharedMemPerBlockOptin;
  size_t sharedMemPerMultiprocessor;
  size_t reservedSharedMemPerBlock;
  int regsPerBlock;
  int regsPerMultiprocessor;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  int clusterLaunch;
  int concurrentKernels;
  int kernelExecTimeoutEnabled;
  int computePreemptionSupported;
  int unifiedFunctionPointers;

  // Memory
  size_t totalGlobalMem;
  size_t totalConstMem;
  size_t memPitch;
  int memoryClockRate;  // kHz; 2 * memoryClockRate * (memoryBusWidth / 8) is the measured copy bandwidth
  int memoryBusWidth;   // bits
  int clockRate;        // kHz
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int accessPolicyMaxWindowSize;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  int ECCEnabled;
  int canMapHostMemory;
  int unifiedAddressing;
  int managedMemory;
  int concurrentManagedAccess;
  int directManagedMemAccessFromHost;
  int pageableMemoryAccess;
  int pageableMemoryAccessUsesHostPageTables;
  int hostNativeAtomicSupported;
  int canUseHostPointerForRegisteredMem;
  int hostRegisterSupported;
  int hostRegisterReadOnlySupported;
  int memoryPoolsSupported;
  unsigned int memoryPoolSupportedHandleTypes;
  int deviceNumaConfig;
  int deviceNumaId;
  int hostNumaId;
  int hostNumaMultinodeIpcSupported;

  // Streams, copies, other processes
  int asyncEngineCount;
  int deviceOverlap;
  int streamPrioritiesSupported;
  int ipcEventSupported;
  int mpsEnabled;
  int timelineSemaphoreInteropSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  int singleToDoublePrecisionPerfRatio;

  // Textures and surfaces: none
  size_t textureAlignment;
  size_t texturePitchAlignment;
  size_t surfaceAlignment;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  int sparseCudaArraySupported;
  int deferredMappingCudaArraySupported;

  int reserved[56];
};
