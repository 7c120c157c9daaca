// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of pointers to the driver API's functions, PFN_<function>_v<version>, which cuGetProcAddress returns. Functions
// that do not exist here have none, except those of tensor maps, which programs look up and do without.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda.h"
#include "cudaProfiler.h"
#include "cudart_detail/driver/entry_points.h"

#define COHORT_CU_ENTRY_POINT(name, version, function) typedef __typeof__(function)* PFN_##name##_v##version;
COHORT_CU_ENTRY_POINTS(COHORT_CU_ENTRY_POINT)
#undef COHORT_CU_ENTRY_POINT
#define COHORT_CU_THREAD_ENTRY_POINT(name, version, function, ending) \
  typedef __typeof__(function)* PFN_##name##_v##version##ending;
COHORT_CU_THREAD_ENTRY_POINTS(COHORT_CU_THREAD_ENTRY_POINT)
#undef COHORT_CU_THREAD_ENTRY_POINT

typedef CUresult (*PFN_cuCtxCreate_v12050)(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags,
                                           CUdevice dev);
typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags);

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
                                                      cuuint32_t tensorRank, void* globalAddress,
                                                      const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                                      const cuuint32_t* boxDim, const cuuint32_t* elementStrides,
                                                      CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                                      CUtensorMapL2promotion l2Promotion,
                                                      CUtensorMapFloatOOBfill oobFill);
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(
    CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress,
    const cuuint64_t* globalDim, const cuuint64_t* globalStrides, const int* pixelBoxLowerCorner,
    const int* pixelBoxUpperCorner, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
    const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
typedef CUresult (*PFN_cuTensorMapEncodeIm2colWide_v12080)(
    CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress,
    const cuuint64_t* globalDim, const cuuint64_t* globalStrides, int pixelBoxLowerCornerWidth,
    int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
    const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
typedef CUresult (*PFN_cuTensorMapReplaceAddress_v12000)(CUtensorMap* tensorMap, void* globalAddress);

#include <cohort/base/user_macros/on.hpp>
