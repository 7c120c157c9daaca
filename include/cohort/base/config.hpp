// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a declaration reaches the compiler at hand. Three ways to compile a Cohort header exist:
//   plain C++ (g++, clang++)      kernels are ordinary functions; the markers vanish
//   cohortcc                      clang compiles CUDA for the CPU; cohortcc defines COHORT_CUDA_ON_CPU
//   nvcc, NVRTC, clang for NVPTX  kernels run on a GPU
#pragma once

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "Cohort needs C++17 or newer: compile with -std=c++17"
#endif

#if defined(__CUDACC__) || defined(__CUDA__)
#define COHORT_CUDA_SOURCE 1  // __device__ and friends mean something
#else
#define COHORT_CUDA_SOURCE 0
#endif

// clang knows the attributes without any header; nvcc and NVRTC know only their own spelling.
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

// __builtin_popcount is an instruction or two. (g++ calls a function, NVRTC does not know it.)
#if defined(__clang__) || (defined(__CUDACC__) && !defined(__CUDACC_RTC__))
#define COHORT_HAS_POPCOUNT 1
#else
#define COHORT_HAS_POPCOUNT 0
#endif

// The threads are a GPU's.
#if COHORT_CUDA_SOURCE && !defined(COHORT_CUDA_ON_CPU)
#define COHORT_ON_GPU 1
#else
#define COHORT_ON_GPU 0
#endif

// The compiler may find CUDA's own C++ library, with the names of namespace cuda, for host code as well. cohortcc has
// Cohort's.
#if defined(COHORT_CUDA_ON_CPU)
#define COHORT_MAY_HAVE_CUDA_LIBRARY 0
#else
#define COHORT_MAY_HAVE_CUDA_LIBRARY 1
#endif

// Calls of such a function stay apart, for where a call stands means something. (g++ has no word for it.)
#if defined(__clang__)
#define COHORT_NO_MERGE __attribute__((nomerge))
#else
#define COHORT_NO_MERGE
#endif

// Bytes of objects: builtins where the compiler has them. NVRTC has none, and knows these functions without a header.
#if defined(__CUDACC_RTC__)
#define COHORT_COPY_BYTES memcpy
#define COHORT_FILL_BYTES memset
#else
#define COHORT_COPY_BYTES __builtin_memcpy
#define COHORT_FILL_BYTES __builtin_memset
#endif

// Always inlined: a group handle leaves no trace, and the place that waits is a line of the user's source.
#define COHORT_INLINE inline __attribute__((always_inline))

// What nearly every function of the library is: device code, inlined.
#define COHORT_FN COHORT_DEVICE COHORT_INLINE
// The same for functions that host code may call as well.
#define COHORT_ANY_SIDE COHORT_HOST_DEVICE COHORT_INLINE
