/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * cuSOLVER on the CPU: dense matrices. docs/libraries.md lists what it has. */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cublas_v2.h"
#include "cusolver_common.h"
#include "driver_types.h"

typedef struct cusolverDnContext* cusolverDnHandle_t;
typedef struct cusolverDnParams* cusolverDnParams_t;
typedef struct cusolverDnIRSParams* cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos* cusolverDnIRSInfos_t;
typedef struct syevjInfo* syevjInfo_t;
typedef struct gesvdjInfo* gesvdjInfo_t;

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;

typedef void (*cusolverDnLoggerCallback_t)(int level, const char* function, const char* message);

#ifdef __cplusplus
extern "C" {
#endif

#include "cudart_detail/cusolver/helpers.inc"

#define COHORT_ROUTINE(name, stem, parameters, ...) cusolverStatus_t name parameters;
#include "cudart_detail/cusolver/each_type.inc"
#include "cudart_detail/cusolver/generic_routines.inc"
#undef COHORT_ROUTINE

#define COHORT_REFINED(letters, type, lowest)                                                                         \
  cusolverStatus_t cusolverDn##letters##gesv(cusolverDnHandle_t handle, int n, int nrhs, type* a, int lda,            \
                                             int* pivots, type* b, int ldb, type* x, int ldx, void* work,             \
                                             size_t work_bytes, int* iterations, int* info);                          \
  cusolverStatus_t cusolverDn##letters##gesv_bufferSize(cusolverDnHandle_t handle, int n, int nrhs, type* a, int lda, \
                                                        int* pivots, type* b, int ldb, type* x, int ldx, void* work,  \
                                                        size_t* work_bytes);                                          \
  cusolverStatus_t cusolverDn##letters##gels(cusolverDnHandle_t handle, int m, int n, int nrhs, type* a, int lda,     \
                                             type* b, int ldb, type* x, int ldx, void* work, size_t work_bytes,       \
                                             int* iterations, int* info);                                             \
  cusolverStatus_t cusolverDn##letters##gels_bufferSize(cusolverDnHandle_t handle, int m, int n, int nrhs, type* a,   \
                                                        int lda, type* b, int ldb, type* x, int ldx, void* work,      \
                                                        size_t* work_bytes);
#include "cudart_detail/cusolver/refinements.inc"
#undef COHORT_REFINED

#ifdef __cplusplus
}
#endif

#include <cohort/base/user_macros/on.hpp>
