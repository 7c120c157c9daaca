// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of execution contexts: the whole of a device or a part of its multiprocessors, which CUDA 13.1 added to the
// runtime API. The layouts are those of the driver API's resources.
#pragma once

typedef struct cudaExecutionContext_st* cudaExecutionContext_t;
typedef struct cudaDevResourceDesc_st* cudaDevResourceDesc_t;

enum cudaDevResourceType {
  cudaDevResourceTypeInvalid = 0,
  cudaDevResourceTypeSm = 1,
  cudaDevResourceTypeWorkqueueConfig = 1000,
  cudaDevResourceTypeWorkqueue = 10000,
};

enum cudaDevSmResourceSplitByCount_flags {
  cudaDevSmResourceSplitIgnoreSmCoscheduling = 1,
  cudaDevSmResourceSplitMaxPotentialClusterSize = 2,
};

#define cudaDevSmResourceGroupLocalityDomainIdAny 0xffffffffu
enum cudaDevSmResourceGroup_flags {
  cudaDevSmResourceGroupDefault = 0,
  cudaDevSmResourceGroupBackfill = 1,
  cudaDevSmResourceGroupLocalityDomainId = 2,
  cudaDevSmResourceGroupLocalityDomainSupplementalSms = 4,
};

enum cudaDevWorkqueueConfigScope {
  cudaDevWorkqueueConfigScopeDeviceCtx = 0,
  cudaDevWorkqueueConfigScopeGreenCtxBalanced = 1,
};

struct cudaDevSmResource {
  unsigned int smCount;
  unsigned int minSmPartitionSize;
  unsigned int smCoscheduledAlignment;
  unsigned int flags;
  unsigned int localityDomainId;
};

struct cudaDevWorkqueueConfigResource {
  int device;
  unsigned int wqConcurrencyLimit;
  enum cudaDevWorkqueueConfigScope sharingScope;
};

struct cudaDevWorkqueueResource {
  unsigned char reserved[40];
};

typedef struct cudaDevResource_st {
  enum cudaDevResourceType type;
  unsigned char _internal_padding[92];
  __extension__ union {
    struct cudaDevSmResource sm;
    struct cudaDevWorkqueueConfigResource wqConfig;
    struct cudaDevWorkqueueResource wq;
    unsigned char _oversize[40];
  };
  struct cudaDevResource_st* nextResource;
} cudaDevResource;

// A group of multiprocessors that cudaDevSmResourceSplit makes.
typedef struct cudaDevSmResourceGroupParams_st {
  unsigned int smCount;             // 0: as many multiprocessors as there are; the call then writes their number
  unsigned int coscheduledSmCount;  // 0: the alignment of the input
  unsigned int preferredCoscheduledSmCount;
  unsigned int flags;
  unsigned int localityDomainId;
  unsigned int reserved[11];
} cudaDevSmResourceGroupParams;
