// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: tensor maps, by which kernels copy boxes of a tensor (cp.async.bulk.tensor). Included by cuda.h only. The
// rules are those of compute capability 9.0; a broken one is CUDA_ERROR_INVALID_VALUE. The calls need no context.
#pragma once

// A map for boxes of `boxDim` elements. Sizes of dimensions count elements, strides count bytes, those of dimension 1
// first.
CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                                void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                const cuuint32_t* boxDim, const cuuint32_t* elementStrides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
// A map for columns of pixels of an image or a volume, whose dimensions are C, W, H, D, N or the first of these and N.
CUresult cuTensorMapEncodeIm2col(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                                 void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                 const int* pixelBoxLowerCorner, const int* pixelBoxUpperCorner,
                                 cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
                                 const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
                                 CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
                                 CUtensorMapFloatOOBfill oobFill);
// Needs compute capability 10.0: returns CUDA_ERROR_NOT_SUPPORTED.
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                                     void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                     int pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth,
                                     cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
                                     const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
                                     CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle,
                                     CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
// Changes the address of a map to another one, a multiple of 16.
CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress);
