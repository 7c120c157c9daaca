// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that nvcc 13.0 predefines and sources test. clang itself defines only __CUDA__ (and __CUDA_ARCH__ for the
// device).
#pragma once

#if defined(__CUDA__)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
// Device lambdas and constexpr functions on both sides need no option here.
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif
