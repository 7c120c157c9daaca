// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers of declarations, and facts about the compiler. A Cohort header is compiled in one of three ways:
//   plain C++ (g++, clang++)      kernels are ordinary functions; the markers are empty
//   cohortcc                      clang compiles CUDA for the CPU; cohortcc defines COHORT_CUDA_ON_CPU
//   nvcc, NVRTC, clang for NVPTX  kernels run on a GPU
#pragma once

#include "version.hpp"

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "Cohort needs C++17 or newer: compile with -std=c++17"
#endif

#if defined(__CUDACC__) || defined(__CUDA__)
#define COHORT_CUDA_SOURCE 1  // the compiler has __device__ and similar attributes
#else
#define COHORT_CUDA_SOURCE 0
#endif

// clang has the attributes without any header; nvcc and NVRTC have only their own spelling.
#if COHORT_CUDA_SOURCE && defined(__clang__)
#define COHORT_DEVICE __attribute__((device))
#define COHORT_HOST_DEVICE __attribute__((host)) __attribute__((device))
#define COHORT_KERNEL __attribute__((global))
#elif COHORT_CUDA_SOURCE
#define COHORT_DEVICE __device__
#define COHORT_HOST_DEVICE __host__ __device__
#define COHORT_KERNEL __global__
#else
#define COHORT_DEVICE
#define COHORT_HOST_DEVICE
#define COHORT_KERNEL
#endif

// 1 if __builtin_popcount compiles to one or two instructions. g++ makes it a call, and NVRTC does not have it.
#if defined(__clang__) || (defined(__CUDACC__) && !defined(__CUDACC_RTC__))
#define COHORT_HAS_POPCOUNT 1
#else
#define COHORT_HAS_POPCOUNT 0
#endif

// 1 if kernels run on a GPU.
#if COHORT_CUDA_SOURCE && !defined(COHORT_CUDA_ON_CPU)
#define COHORT_ON_GPU 1
#else
#define COHORT_ON_GPU 0
#endif

// 1 if kernels on a GPU check their collectives: -DCOHORT_GPU_CHECK, docs/gpu.md. Level 2 also compares the source
// lines of barriers.
#if COHORT_ON_GPU && defined(COHORT_GPU_CHECK)
#define COHORT_CHECKS_CALLS 1
#else
#define COHORT_CHECKS_CALLS 0
#endif

// 1 if CUDA's C++ library (namespace cuda) may be on the compiler's path, for host code too. cohortcc has Cohort's own
// library.
#if defined(COHORT_CUDA_ON_CPU)
#define COHORT_MAY_HAVE_CUDA_LIBRARY 0
#else
#define COHORT_MAY_HAVE_CUDA_LIBRARY 1
#endif

// Forbids the compiler to merge calls of a function: the source place of a call identifies it. g++ has no such
// attribute.
#if defined(__clang__)
#define COHORT_NO_MERGE __attribute__((nomerge))
#else
#define COHORT_NO_MERGE
#endif

// Copy and fill bytes of objects, by builtins if the compiler has them. NVRTC has none, but declares memcpy and memset
// without a header.
#if defined(__CUDACC_RTC__)
#define COHORT_COPY_BYTES memcpy
#define COHORT_FILL_BYTES memset
#else
#define COHORT_COPY_BYTES __builtin_memcpy
#define COHORT_FILL_BYTES __builtin_memset
#endif

// Always inlined, so that group handles vanish and the source place of a wait is a line of the user's source.
#define COHORT_INLINE inline __attribute__((always_inline))

// The marker of nearly every function of the library: inlined device code.
#define COHORT_FN COHORT_DEVICE COHORT_INLINE
// The marker of inlined functions for device code and host code.
#define COHORT_ANY_SIDE COHORT_HOST_DEVICE COHORT_INLINE
