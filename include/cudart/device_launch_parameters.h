// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim, warpSize: objects without state, whose members call the engine. `threadIdx.x`
// becomes `cohort_thread_index(0)`. The objects convert to the vector types that they have in CUDA. A copy (`auto t =
// threadIdx;`) reads the thread's values too.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "host_defines.h"
#include "vector_types.h"

#if defined(__CUDA__)

#if !defined(__CUDA_ARCH__)

// In the host pass, the declarations that CUDA has: NVIDIA's headers repeat some of them. Nothing defines the
// variables, so a host function that reads one does not link.
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;

#else

#include <cohort/machine/cpu/port.hpp>

// A macro: a base class with the reader as a template argument would appear in every diagnostic.
#define COHORT_BUILT_IN_INDEX(type, vector, read, ...)                          \
  struct type {                                                                 \
    __declspec(property(get = read_x)) unsigned int x;                          \
    __declspec(property(get = read_y)) unsigned int y;                          \
    __declspec(property(get = read_z)) unsigned int z;                          \
    static __forceinline__ __device__ unsigned int read_x() { return read(0); } \
    static __forceinline__ __device__ unsigned int read_y() { return read(1); } \
    static __forceinline__ __device__ unsigned int read_z() { return read(2); } \
    __forceinline__ __device__ operator vector() const {                        \
      vector value;                                                             \
      value.x = read(0), value.y = read(1), value.z = read(2);                  \
      return value;                                                             \
    }                                                                           \
    __VA_ARGS__                                                                 \
  }

#define COHORT_BUILT_IN_TO_DIM3 \
  __forceinline__ __device__ operator dim3() const { return dim3(x, y, z); }

COHORT_BUILT_IN_INDEX(cohort_built_in_thread_index, uint3, cohort_thread_index, COHORT_BUILT_IN_TO_DIM3);
COHORT_BUILT_IN_INDEX(cohort_built_in_block_index, uint3, cohort_block_index, COHORT_BUILT_IN_TO_DIM3);
COHORT_BUILT_IN_INDEX(cohort_built_in_block_dim, dim3, cohort_block_dim);
COHORT_BUILT_IN_INDEX(cohort_built_in_grid_dim, dim3, cohort_grid_dim);

#undef COHORT_BUILT_IN_INDEX
#undef COHORT_BUILT_IN_TO_DIM3

static const __device__ cohort_built_in_thread_index threadIdx{};
static const __device__ cohort_built_in_block_index blockIdx{};
static const __device__ cohort_built_in_block_dim blockDim{};
static const __device__ cohort_built_in_grid_dim gridDim{};

#endif  // __CUDA_ARCH__

static constexpr int warpSize = 32;

#endif  // __CUDA__

#include <cohort/base/user_macros/on.hpp>
