// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The occupancy of a GPU's multiprocessor by blocks of a kernel, computed from numbers that the caller gives: the
// functions describe GPUs of compute capability 7.5 to 12.1, and call no runtime. For the device of this machine call
// cudaOccupancyMaxActiveBlocksPerMultiprocessor.
//
// The rules are those of the CUDA C++ Programming Guide, "Compute Capabilities", and of the occupancy pages of Nsight
// Compute: warps take registers in units, blocks take shared memory in units, and the scarcest resource decides.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <limits.h>
#include <stddef.h>

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2,
} cudaOccError;

typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF = 0,
  PARTITIONED_GC_ON = 1,
  PARTITIONED_GC_ON_STRICT = 2,
} cudaOccPartitionedGCConfig;

typedef enum cudaOccPartitionedGCSupport_enum {
  PARTITIONED_GC_NOT_SUPPORTED = 0,
  PARTITIONED_GC_SUPPORTED = 1,
} cudaOccPartitionedGCSupport;

typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT = 0,
  FUNC_SHMEM_LIMIT_OPTIN = 1,
} cudaOccFuncShmemConfig;

typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3,
} cudaOccCacheConfig;

// Any percentage from 0 to 100 of the shared memory, or the default: as much as there is.
typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50,
} cudaOccCarveoutConfig;

typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 1,
  OCC_LIMIT_REGISTERS = 2,
  OCC_LIMIT_SHARED_MEMORY = 4,
  OCC_LIMIT_BLOCKS = 8,
  OCC_LIMIT_BARRIERS = 16,
  OCC_LIMIT_VIRTUAL_RESOURCES = 32,
} cudaOccLimitingFactor;

// The members of cudaDeviceProp of these names, which a structure of C++ has a constructor from.
typedef struct cudaOccDeviceProp {
  int computeMajor;
  int computeMinor;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiprocessor;
  int regsPerBlock;
  int regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock;
  size_t sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;

#if defined(__cplusplus)
  cudaOccDeviceProp()
      : computeMajor(0),
        computeMinor(0),
        maxThreadsPerBlock(0),
        maxThreadsPerMultiprocessor(0),
        regsPerBlock(0),
        regsPerMultiprocessor(0),
        warpSize(0),
        sharedMemPerBlock(0),
        sharedMemPerMultiprocessor(0),
        numSms(0),
        sharedMemPerBlockOptin(0),
        reservedSharedMemPerBlock(0) {}
  template <class T>
  cudaOccDeviceProp(const T& p)
      : computeMajor(p.major),
        computeMinor(p.minor),
        maxThreadsPerBlock(p.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor),
        regsPerBlock(p.regsPerBlock),
        regsPerMultiprocessor(p.regsPerMultiprocessor),
        warpSize(p.warpSize),
        sharedMemPerBlock(p.sharedMemPerBlock),
        sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor),
        numSms(p.multiProcessorCount),
        sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(p.reservedSharedMemPerBlock) {}
#endif
} cudaOccDeviceProp;

// The members of cudaFuncAttributes, and facts that only the caller has. `numBlockBarriers` counts the kernel's
// barriers.
typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock;
  int numRegs;
  size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
  int virtualResourceCount;

#if defined(__cplusplus)
  cudaOccFuncAttributes()
      : maxThreadsPerBlock(0),
        numRegs(0),
        sharedSizeBytes(0),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(0),
        numBlockBarriers(1),
        virtualResourceCount(0) {}
  template <class T>
  cudaOccFuncAttributes(const T& a)
      : maxThreadsPerBlock(a.maxThreadsPerBlock),
        numRegs(a.numRegs),
        sharedSizeBytes(a.sharedSizeBytes),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(static_cast<size_t>(a.maxDynamicSharedSizeBytes)),
        numBlockBarriers(1),
        virtualResourceCount(0) {}
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;  // has no effect since compute capability 7.0
  int carveoutConfig;

#if defined(__cplusplus)
  cudaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

// `limitingFactors` is a set of OCC_LIMIT_ bits: all resources that allow no more blocks.
typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors;
  int blockLimitRegs;
  int blockLimitSharedMem;
  int blockLimitWarps;
  int blockLimitBlocks;
  int blockLimitBarriers;
  int blockLimitVirtual;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

#include "cudart_detail/occupancy/functions.h"

#include <cohort/base/user_macros/on.hpp>
