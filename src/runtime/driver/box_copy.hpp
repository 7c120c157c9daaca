// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of two and three dimensions in the forms of both APIs.
#pragma once

#include "cuda.h"

namespace cohort::runtime {

// CUDA_ERROR_INVALID_VALUE for an unknown type of memory, a level of detail, rows or slices that overlap, or a part of
// a texel; CUDA_ERROR_INVALID_HANDLE for anything but a live array.
CUresult to_runtime(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms* made);
CUDA_MEMCPY3D to_driver(const cudaMemcpy3DParms& copy);

}  // namespace cohort::runtime
