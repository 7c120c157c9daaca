// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that nvcc 13 predefines and sources test. clang itself defines only __CUDA__ (and __CUDA_ARCH__ for the
// device).
#pragma once

#include "cuda_version.h"

#if defined(__CUDA__)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ COHORT_CUDA_MINOR
#define __CUDACC_VER_BUILD__ 0
// Device lambdas and constexpr functions on both sides need no option here.
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
// nvcc gives these types to lambdas with marks. Here a lambda is an ordinary class on both sides.
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false
#endif
