// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and their formats in the forms of both APIs.
#pragma once

#include "cuda.h"

namespace cohort::runtime {

inline cudaArray_t array_of(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
inline CUarray array_of(cudaArray_t array) { return reinterpret_cast<CUarray>(array); }
inline cudaMipmappedArray_t array_of(CUmipmappedArray array) { return reinterpret_cast<cudaMipmappedArray_t>(array); }
inline CUmipmappedArray array_of(cudaMipmappedArray_t array) { return reinterpret_cast<CUmipmappedArray>(array); }

// CUDA_ERROR_INVALID_VALUE for a number that is no format or a count other than 1, 2 and 4; CUDA_ERROR_NOT_SUPPORTED
// for block-compressed, packed and planar formats.
CUresult to_channels(CUarray_format format, unsigned channels, cudaChannelFormatDesc* made);
// Writes the number of channels and returns their format. pre: `desc` is that of an array
CUarray_format to_format(const cudaChannelFormatDesc& desc, unsigned* channels);

}  // namespace cohort::runtime
