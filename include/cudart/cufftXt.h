/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * cuFFT with types as arguments. Transforms over several devices, and callbacks, return CUFFT_NOT_IMPLEMENTED. */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cudalibxt.h"
#include "cufft.h"

/* Users' headers test this macro to see whether the file was included. */
#define _CUFFTXT_H_

typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT = 1,
  CUFFT_XT_FORMAT_INPLACE = 2,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
  CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;

typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0,
  CUFFT_COPY_DEVICE_TO_HOST = 1,
  CUFFT_COPY_DEVICE_TO_DEVICE = 2,
  CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;

typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;

typedef struct cufftXt1dFactors_t {
  long long int size;
  long long int stringCount;
  long long int stringLength;
  long long int substringLength;
  long long int factor1;
  long long int factor2;
  long long int stringMask;
  long long int substringMask;
  long long int factor1Mask;
  long long int factor2Mask;
  int stringShift;
  int substringShift;
  int factor1Shift;
  int factor2Shift;
} cufftXt1dFactors;

typedef enum cufftXtWorkAreaPolicy_t {
  CUFFT_WORKAREA_MINIMAL = 0,
  CUFFT_WORKAREA_USER = 1,
  CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;

typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7,
  CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

/* A callback's type by the letter of its number. `offset`: the type of offsets. */
#define COHORT_CUFFT_CALLBACK(form, letter, number, offset)                                                 \
  typedef number (*cufft##form##Load##letter)(void* dataIn, offset, void* callerInfo, void* sharedPointer); \
  typedef void (*cufft##form##Store##letter)(void* dataOut, offset, number element, void* callerInfo,       \
                                             void* sharedPointer);
#define COHORT_CUFFT_CALLBACKS(form, offset)                 \
  COHORT_CUFFT_CALLBACK(form, C, cufftComplex, offset)       \
  COHORT_CUFFT_CALLBACK(form, Z, cufftDoubleComplex, offset) \
  COHORT_CUFFT_CALLBACK(form, R, cufftReal, offset)          \
  COHORT_CUFFT_CALLBACK(form, D, cufftDoubleReal, offset)
COHORT_CUFFT_CALLBACKS(Callback, size_t)
COHORT_CUFFT_CALLBACKS(JITCallback, unsigned long long)
#undef COHORT_CUFFT_CALLBACKS
#undef COHORT_CUFFT_CALLBACK

#if defined(__cplusplus)
extern "C" {
#endif

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                long long int istride, long long int idist, cudaDataType inputtype,
                                long long int* onembed, long long int ostride, long long int odist,
                                cudaDataType outputtype, long long int batch, size_t* workSize,
                                cudaDataType executiontype);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                               long long int istride, long long int idist, cudaDataType inputtype,
                               long long int* onembed, long long int ostride, long long int odist,
                               cudaDataType outputtype, long long int batch, size_t* workSize,
                               cudaDataType executiontype);
cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);
cufftResult cufftXtSetWorkArea(cufftHandle plan, void** workArea);
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t* workSize);

/* Several devices. */
cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int* whichGPUs);
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format);
cufftResult cufftXtMemcpy(cufftHandle plan, void* dstPointer, void* srcPointer, cufftXtCopyType type);
cufftResult cufftXtFree(cudaLibXtDesc* descriptor);
cufftResult cufftXtQueryPlan(cufftHandle plan, void* queryStruct, cufftXtQueryType queryType);
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output, int direction);
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output, int direction);
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output, int direction);
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);

/* Callbacks. */
cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine, cufftXtCallbackType cbType,
                               void** caller_info);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType);
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType, size_t sharedSize);
cufftResult cufftXtSetJITCallback(cufftHandle plan, const char* lto_callback_symbol_name,
                                  const void* lto_callback_fatbin, size_t lto_callback_fatbin_size,
                                  cufftXtCallbackType type, void** caller_info);

#if defined(__cplusplus)
}
#endif

#include <cohort/base/user_macros/on.hpp>
