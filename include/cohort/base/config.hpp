// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a declaration reaches the compiler at hand. Three ways to compile a Cohort header exist:
//   plain C++ (g++, clang++)      kernels are ordinary functions; the markers vanish
//   cohortcc                      clang compiles CUDA for the CPU; cohortcc defines COHORT_CUDA_ON_CPU
//   nvcc, NVRTC, clang for NVPTX  kernels run on a GPU
#pragma once

#if defined(__CUDACC__) || defined(__CUDA__)
#define COHORT_CUDA_SOURCE 1  // __device__ and friends mean something
#else
#define COHORT_CUDA_SOURCE 0
#endif

#if COHORT_CUDA_SOURCE
#define COHORT_DEVICE __attribute__((device))
#define COHORT_HOST_DEVICE __attribute__((host)) __attribute__((device))
#define COHORT_INLINE inline __attribute__((always_inline))
#else
#define COHORT_DEVICE
#define COHORT_HOST_DEVICE
#define COHORT_INLINE inline __attribute__((always_inline))
#endif
