// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cuda_occupancy.h, which includes this file.
#pragma once

// Limits of a compute capability that cudaDeviceProp does not contain. `shared_kib`: the sizes that the shared memory
// of a multiprocessor can be set to, in KiB, ended by 0.
typedef struct cohort_occ_device {
  int compute;  // 10 * major + minor
  int most_blocks;
  int barriers;  // number in a multiprocessor; 0: each block has all that it can name
  size_t shared_unit;
  int shared_kib[11];
} cohort_occ_device;

static const cohort_occ_device cohort_occ_devices[] = {
    {75, 16, 0, 256, {32, 64, 0}},
    {80, 32, 0, 128, {8, 16, 32, 64, 100, 132, 164, 0}},
    {86, 16, 0, 128, {8, 16, 32, 64, 100, 0}},
    {87, 16, 0, 128, {8, 16, 32, 64, 100, 132, 164, 0}},
    {89, 24, 0, 128, {8, 16, 32, 64, 100, 0}},
    {90, 32, 64, 128, {8, 16, 32, 64, 100, 132, 164, 196, 228, 0}},
    {100, 32, 64, 128, {8, 16, 32, 64, 100, 132, 164, 196, 228, 0}},
    {103, 32, 64, 128, {8, 16, 32, 64, 100, 132, 164, 196, 228, 0}},
    {110, 24, 24, 128, {8, 16, 32, 64, 100, 132, 164, 196, 228, 0}},
    {120, 24, 24, 128, {8, 16, 32, 64, 100, 0}},
    {121, 24, 24, 128, {8, 16, 32, 64, 100, 0}},
};

enum {
  cohort_occ_register_unit = 256,   // registers of a warp
  cohort_occ_most_registers = 256,  // registers of a thread
  cohort_occ_partitions = 4,        // parts of a multiprocessor; each has a quarter of the registers
};

static inline const cohort_occ_device* cohort_occ_find(const cudaOccDeviceProp* p) {
  const int compute = 10 * p->computeMajor + p->computeMinor;
  for (size_t i = 0; i < sizeof cohort_occ_devices / sizeof *cohort_occ_devices; ++i) {
    if (cohort_occ_devices[i].compute == compute) return &cohort_occ_devices[i];
  }
  return NULL;
}

static inline size_t cohort_occ_round_up(size_t x, size_t unit) { return (x + unit - 1) / unit * unit; }
static inline int cohort_occ_least(int a, int b) { return a < b ? a : b; }

// The limit of one resource: how many blocks fit that take `each` of `all`.
static inline int cohort_occ_blocks(size_t all, size_t each) {
  return each == 0 || all / each > INT_MAX ? INT_MAX : (int)(all / each);
}

static inline cudaOccError cohort_occ_check(const cudaOccDeviceProp* p, const cudaOccFuncAttributes* f,
                                            const cudaOccDeviceState* s, const cohort_occ_device** device) {
  if (!p || !f || !s) return CUDA_OCC_ERROR_INVALID_INPUT;
  if (p->maxThreadsPerBlock <= 0 || p->maxThreadsPerMultiprocessor <= 0 || p->regsPerBlock <= 0 ||
      p->regsPerMultiprocessor <= 0 || p->warpSize <= 0 || p->sharedMemPerBlock == 0 ||
      p->sharedMemPerMultiprocessor == 0 || p->numSms <= 0) {
    return CUDA_OCC_ERROR_INVALID_INPUT;
  }
  if (f->maxThreadsPerBlock <= 0 || f->numRegs < 0 || f->numBlockBarriers < 0) return CUDA_OCC_ERROR_INVALID_INPUT;
  if (s->carveoutConfig < SHAREDMEM_CARVEOUT_DEFAULT || s->carveoutConfig > SHAREDMEM_CARVEOUT_MAX_SHARED) {
    return CUDA_OCC_ERROR_INVALID_INPUT;
  }
  *device = cohort_occ_find(p);
  return *device ? CUDA_OCC_SUCCESS : CUDA_OCC_ERROR_UNKNOWN_DEVICE;
}

// The most shared memory that a block may request.
static inline size_t cohort_occ_most_shared(const cudaOccDeviceProp* p, const cudaOccFuncAttributes* f) {
  return f->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN && p->sharedMemPerBlockOptin > p->sharedMemPerBlock
             ? p->sharedMemPerBlockOptin
             : p->sharedMemPerBlock;
}

// The shared memory of a multiprocessor: the next size from the carveout on that holds one block.
static inline size_t cohort_occ_shared_of_multiprocessor(const cohort_occ_device* device, const cudaOccDeviceProp* p,
                                                         const cudaOccDeviceState* s, size_t block) {
  if (s->carveoutConfig == SHAREDMEM_CARVEOUT_DEFAULT) return p->sharedMemPerMultiprocessor;
  const size_t wanted = p->sharedMemPerMultiprocessor * (size_t)s->carveoutConfig / 100;
  for (int i = 0; device->shared_kib[i] != 0; ++i) {
    const size_t size = (size_t)device->shared_kib[i] << 10;
    if (size >= wanted && size >= block && size <= p->sharedMemPerMultiprocessor) return size;
  }
  return p->sharedMemPerMultiprocessor;
}

// The blocks of `blockSize` threads with `dynamicSmemSize` bytes that a multiprocessor holds at once.
static inline cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult* result,
                                                                   const cudaOccDeviceProp* properties,
                                                                   const cudaOccFuncAttributes* attributes,
                                                                   const cudaOccDeviceState* state, int blockSize,
                                                                   size_t dynamicSmemSize) {
  const cohort_occ_device* device = NULL;
  if (!result || blockSize <= 0) return CUDA_OCC_ERROR_INVALID_INPUT;
  const cudaOccError error = cohort_occ_check(properties, attributes, state, &device);
  if (error != CUDA_OCC_SUCCESS) return error;
  const cudaOccDeviceProp* const p = properties;
  const cudaOccFuncAttributes* const f = attributes;

  const size_t warps = cohort_occ_round_up((size_t)blockSize, (size_t)p->warpSize) / (size_t)p->warpSize;
  const size_t partitioned_warps = cohort_occ_round_up(warps, cohort_occ_partitions);
  result->blockLimitBlocks = device->most_blocks;
  result->blockLimitWarps = cohort_occ_blocks((size_t)(p->maxThreadsPerMultiprocessor / p->warpSize), warps);
  if (blockSize > p->maxThreadsPerBlock || blockSize > f->maxThreadsPerBlock) result->blockLimitWarps = 0;

  const size_t registers = cohort_occ_round_up((size_t)f->numRegs * (size_t)p->warpSize, cohort_occ_register_unit);
  result->allocatedRegistersPerBlock = (int)(registers * warps);
  if (f->numRegs > cohort_occ_most_registers || registers * partitioned_warps > (size_t)p->regsPerBlock) {
    result->blockLimitRegs = 0;
  } else {
    const size_t resident =
        registers == 0 ? 0
                       : (size_t)p->regsPerMultiprocessor / cohort_occ_partitions / registers * cohort_occ_partitions;
    result->blockLimitRegs = registers == 0 ? INT_MAX : cohort_occ_blocks(resident, warps);
  }

  const size_t used = f->sharedSizeBytes + dynamicSmemSize;
  const size_t shared = cohort_occ_round_up(used + p->reservedSharedMemPerBlock, device->shared_unit);
  result->allocatedSharedMemPerBlock = shared;
  const int too_much = used > cohort_occ_most_shared(p, f) || (f->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN &&
                                                               dynamicSmemSize > f->maxDynamicSharedSizeBytes);
  result->blockLimitSharedMem =
      too_much ? 0 : cohort_occ_blocks(cohort_occ_shared_of_multiprocessor(device, p, state, shared), shared);

  result->blockLimitBarriers =
      device->barriers == 0 ? INT_MAX : cohort_occ_blocks((size_t)device->barriers, (size_t)f->numBlockBarriers);
  result->blockLimitVirtual = INT_MAX;
  result->partitionedGCConfig = PARTITIONED_GC_OFF;

  int least = cohort_occ_least(result->blockLimitBlocks, result->blockLimitWarps);
  least = cohort_occ_least(least, result->blockLimitRegs);
  least = cohort_occ_least(least, result->blockLimitSharedMem);
  least = cohort_occ_least(least, result->blockLimitBarriers);
  result->activeBlocksPerMultiprocessor = least;
  result->limitingFactors = (result->blockLimitWarps == least ? (unsigned)OCC_LIMIT_WARPS : 0u) |
                            (result->blockLimitRegs == least ? (unsigned)OCC_LIMIT_REGISTERS : 0u) |
                            (result->blockLimitSharedMem == least ? (unsigned)OCC_LIMIT_SHARED_MEMORY : 0u) |
                            (result->blockLimitBlocks == least ? (unsigned)OCC_LIMIT_BLOCKS : 0u) |
                            (result->blockLimitBarriers == least ? (unsigned)OCC_LIMIT_BARRIERS : 0u);
  return CUDA_OCC_SUCCESS;
}

// The block size with which a multiprocessor holds the most threads, and the number of blocks that fill the device. If
// `blockSizeToDynamicSMemSize` is null, every block has `dynamicSMemSize` bytes of dynamic shared memory.
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int* minGridSize, int* blockSize, const cudaOccDeviceProp* properties, const cudaOccFuncAttributes* attributes,
    const cudaOccDeviceState* state, size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize) {
  const cohort_occ_device* device = NULL;
  if (!minGridSize || !blockSize) return CUDA_OCC_ERROR_INVALID_INPUT;
  const cudaOccError error = cohort_occ_check(properties, attributes, state, &device);
  if (error != CUDA_OCC_SUCCESS) return error;
  const int warp = properties->warpSize;
  const int most = cohort_occ_least(properties->maxThreadsPerBlock, attributes->maxThreadsPerBlock);
  int most_threads = 0;
  *minGridSize = *blockSize = 0;
  for (int rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    const int size = cohort_occ_least(rounded, most);
    const size_t dynamic = blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize;
    cudaOccResult result;
    const cudaOccError failed =
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, size, dynamic);
    if (failed != CUDA_OCC_SUCCESS) return failed;
    const int threads = size * result.activeBlocksPerMultiprocessor;
    if (threads > most_threads) {
      most_threads = threads;
      *blockSize = size;
      *minGridSize = result.activeBlocksPerMultiprocessor * properties->numSms;
    }
    if (most_threads == properties->maxThreadsPerMultiprocessor) break;
  }
  return CUDA_OCC_SUCCESS;
}

// The dynamic shared memory that each of `numBlocks` blocks of one multiprocessor may have.
static inline cudaOccError cudaOccAvailableDynamicSMemPerBlock(size_t* bytesAvailable,
                                                               const cudaOccDeviceProp* properties,
                                                               const cudaOccFuncAttributes* attributes,
                                                               const cudaOccDeviceState* state, int numBlocks,
                                                               int blockSize) {
  const cohort_occ_device* device = NULL;
  cudaOccResult result;
  if (!bytesAvailable || numBlocks <= 0) return CUDA_OCC_ERROR_INVALID_INPUT;
  cudaOccError error = cohort_occ_check(properties, attributes, state, &device);
  if (error == CUDA_OCC_SUCCESS) {
    error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, blockSize, 0);
  }
  if (error != CUDA_OCC_SUCCESS) return error;
  if (result.activeBlocksPerMultiprocessor < numBlocks) return CUDA_OCC_ERROR_INVALID_INPUT;
  // A single block gets the memory that it needs, whatever the carveout is.
  const size_t all = numBlocks == 1 ? properties->sharedMemPerMultiprocessor
                                    : cohort_occ_shared_of_multiprocessor(device, properties, state, 0);
  const size_t share = all / (size_t)numBlocks / device->shared_unit * device->shared_unit;
  const size_t taken = attributes->sharedSizeBytes + properties->reservedSharedMemPerBlock;
  const size_t left = share > taken ? share - taken : 0;
  size_t most = cohort_occ_most_shared(properties, attributes) - attributes->sharedSizeBytes;
  if (attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN && attributes->maxDynamicSharedSizeBytes < most) {
    most = attributes->maxDynamicSharedSizeBytes;
  }
  *bytesAvailable = left < most ? left : most;
  return CUDA_OCC_SUCCESS;
}

#if defined(__cplusplus)
// C++ callers may omit arguments, or give the amount of shared memory by any function object.
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(int* minGridSize, int* blockSize,
                                                                 const cudaOccDeviceProp* properties,
                                                                 const cudaOccFuncAttributes* attributes,
                                                                 const cudaOccDeviceState* state,
                                                                 size_t dynamicSMemSize = 0) {
  return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize, properties, attributes, state, NULL,
                                               dynamicSMemSize);
}
template <class Function>
cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                               const cudaOccDeviceProp* properties,
                                                               const cudaOccFuncAttributes* attributes,
                                                               const cudaOccDeviceState* state,
                                                               Function blockSizeToDynamicSMemSize) {
  static thread_local Function* function;
  function = &blockSizeToDynamicSMemSize;
  return cudaOccMaxPotentialOccupancyBlockSize(
      minGridSize, blockSize, properties, attributes, state,
      [](int size) { return static_cast<size_t>((*function)(size)); }, 0);
}
#endif
