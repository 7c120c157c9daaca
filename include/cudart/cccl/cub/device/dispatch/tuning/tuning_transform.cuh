// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the place of CUB's header of this name, and includes it. CUB's policies for sm_90 and later load their input by
// bulk copies, which are inline PTX. CUB has no such policies for the compiler NVHPC: there, kernels prefetch instead.
#pragma once

// Headers that CUB's header includes see the true compiler.
#include <cuda/std/__cccl/execution_space.h>
#include <thrust/type_traits/is_contiguous_iterator.h>
#include <thrust/type_traits/is_trivially_relocatable.h>
#include <cub/config.cuh>
#include <cub/detail/detect_cuda_runtime.cuh>
#include <cub/util_device.cuh>
#include <cuda/std/bit>

#pragma push_macro("_CCCL_CUDA_COMPILER_NVHPC")
#undef _CCCL_CUDA_COMPILER_NVHPC
#define _CCCL_CUDA_COMPILER_NVHPC() (25, 1)
#include_next <cub/device/dispatch/tuning/tuning_transform.cuh>
#pragma pop_macro("_CCCL_CUDA_COMPILER_NVHPC")
