/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * cuSPARSE on the CPU, for C and C++. docs/libraries.md lists what it has. */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <stdint.h>
#include <stdio.h>

#include "cuComplex.h"
#ifdef __cplusplus
#include "cuda_fp16.h"
#endif
#include "driver_types.h"
#include "library_types.h"

#define CUSPARSE_H_ /* helpers of samples test for the include guard of NVIDIA's header */

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VER_BUILD 3
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

#define CUSPARSEAPI

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;

typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6,
  CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;

/* Algorithms select kernels of a GPU: all have one result here. */
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_SPMV_SELL_ALG1 = 5,
  CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12,
  CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL = 0, CUSPARSE_SPSV_UPDATE_DIAGONAL = 1 } cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SPSM_UPDATE_GENERAL = 0, CUSPARSE_SPSM_UPDATE_DIAGONAL = 1 } cusparseSpSMUpdate_t;

typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseMatDescr* cusparseMatDescr_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;

typedef struct cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef struct cusparseSpVecDescr const* cusparseConstSpVecDescr_t;
typedef struct cusparseDnVecDescr const* cusparseConstDnVecDescr_t;
typedef struct cusparseSpMatDescr const* cusparseConstSpMatDescr_t;
typedef struct cusparseDnMatDescr const* cusparseConstDnMatDescr_t;

typedef struct cusparseSpSVDescr* cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr* cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*cusparseLoggerCallback_t)(int level, const char* function, const char* message);

/* Handles. */
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);

/* The log: level 1 names the calls that are refused, level 5 all calls. */
cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t callback);
cusparseStatus_t cusparseLoggerSetFile(FILE* file);
cusparseStatus_t cusparseLoggerOpenFile(const char* log_file);
cusparseStatus_t cusparseLoggerSetLevel(int level);
cusparseStatus_t cusparseLoggerSetMask(int mask);
cusparseStatus_t cusparseLoggerForceDisable(void);

/* Sparse vectors. */
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz, void* indices,
                                     void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                     cudaDataType value_type);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                          const void* indices, const void* values, cusparseIndexType_t index_type,
                                          cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz, void** indices,
                                  void** values, cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                  cudaDataType* value_type);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                       const void** indices, const void** values, cusparseIndexType_t* index_type,
                                       cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector, const void** values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values);

/* Dense vectors. */
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType value_type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                          cudaDataType value_type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* value_type);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size, const void** values,
                                       cudaDataType* value_type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void** values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);

/* Sparse matrices. */
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_offsets, void* columns, void* values, cusparseIndexType_t offsets_type,
                                   cusparseIndexType_t columns_type, cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* row_offsets, const void* columns, const void* values,
                                        cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
                                        cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* column_offsets, void* row_indices, void* values,
                                   cusparseIndexType_t offsets_type, cusparseIndexType_t rows_type,
                                   cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* column_offsets, const void* row_indices, const void* values,
                                        cusparseIndexType_t offsets_type, cusparseIndexType_t rows_type,
                                        cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_indices, void* columns, void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void* row_indices, const void* columns, const void* values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type);
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* matrix, int64_t block_rows, int64_t block_columns,
                                   int64_t blocks, int64_t row_block_size, int64_t column_block_size, void* row_offsets,
                                   void* columns, void* values, cusparseIndexType_t offsets_type,
                                   cusparseIndexType_t columns_type, cusparseIndexBase_t base, cudaDataType value_type,
                                   cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t* matrix, int64_t block_rows, int64_t block_columns,
                                        int64_t blocks, int64_t row_block_size, int64_t column_block_size,
                                        const void* row_offsets, const void* columns, const void* values,
                                        cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
                                        cusparseIndexBase_t base, cudaDataType value_type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t block_size,
                                          int64_t ell_columns, void* columns, void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType value_type);
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                               int64_t block_size, int64_t ell_columns, const void* columns,
                                               const void* values, cusparseIndexType_t index_type,
                                               cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                         int64_t values_size, int64_t slice_size, void* slice_offsets, void* columns,
                                         void* values, cusparseIndexType_t offsets_type,
                                         cusparseIndexType_t columns_type, cusparseIndexBase_t base,
                                         cudaDataType value_type);
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                              int64_t nnz, int64_t values_size, int64_t slice_size,
                                              const void* slice_offsets, const void* columns, const void* values,
                                              cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
                                              cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_offsets, void** columns, void** values, cusparseIndexType_t* offsets_type,
                                cusparseIndexType_t* columns_type, cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** row_offsets, const void** columns, const void** values,
                                     cusparseIndexType_t* offsets_type, cusparseIndexType_t* columns_type,
                                     cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** column_offsets, void** row_indices, void** values,
                                cusparseIndexType_t* offsets_type, cusparseIndexType_t* rows_type,
                                cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** column_offsets, const void** row_indices, const void** values,
                                     cusparseIndexType_t* offsets_type, cusparseIndexType_t* rows_type,
                                     cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_indices, void** columns, void** values, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                     const void** row_indices, const void** columns, const void** values,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* block_size,
                                       int64_t* ell_columns, void** columns, void** values,
                                       cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                       cudaDataType* value_type);
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols,
                                            int64_t* block_size, int64_t* ell_columns, const void** columns,
                                            const void** values, cusparseIndexType_t* index_type,
                                            cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* row_offsets, void* columns, void* values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* column_offsets, void* row_indices,
                                        void* values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* row_indices, void* columns, void* values);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets_stride,
                                            int64_t columns_values_stride);
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets_stride,
                                            int64_t columns_stride, int64_t values_stride);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t size);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t size);

/* Dense matrices. */
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t ld, void* values,
                                     cudaDataType value_type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t ld,
                                          const void* values, cudaDataType value_type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld, void** values,
                                  cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld,
                                       const void** values, cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count, int64_t* stride);

/* Operations on vectors. */
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t vec_x,
                               const void* beta, cusparseDnVecDescr_t vec_y);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vec_y, cusparseSpVecDescr_t vec_x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vec_x, cusparseDnVecDescr_t vec_y);
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c, const void* s, cusparseSpVecDescr_t vec_x,
                             cusparseDnVecDescr_t vec_y);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_x,
                                         cusparseConstSpVecDescr_t vec_x, cusparseConstDnVecDescr_t vec_y,
                                         const void* result, cudaDataType compute_type, size_t* buffer_size);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op_x, cusparseConstSpVecDescr_t vec_x,
                              cusparseConstDnVecDescr_t vec_y, void* result, cudaDataType compute_type, void* buffer);

/* Products with a dense vector and a dense matrix, and dense products at the places of a sparse matrix. */
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                         const void* beta, cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t alg, size_t* buffer_size);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                         const void* beta, cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t alg, void* buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                              cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x, const void* beta,
                              cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpMVAlg_t alg,
                              void* buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                         cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseDnMatDescr_t mat_c,
                                         cudaDataType compute_type, cusparseSpMMAlg_t alg, size_t* buffer_size);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                         cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseDnMatDescr_t mat_c,
                                         cudaDataType compute_type, cusparseSpMMAlg_t alg, void* buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                              const void* beta, cusparseDnMatDescr_t mat_c, cudaDataType compute_type,
                              cusparseSpMMAlg_t alg, void* buffer);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          const void* alpha, cusparseConstDnMatDescr_t mat_a,
                                          cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t alg, size_t* buffer_size);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          const void* alpha, cusparseConstDnMatDescr_t mat_a,
                                          cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t alg, void* buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void* alpha, cusparseConstDnMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                               const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                               cusparseSDDMMAlg_t alg, void* buffer);

/* Conversions between sparse and dense matrices. */
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t mat_a,
                                                  cusparseDnMatDescr_t mat_b, cusparseSparseToDenseAlg_t alg,
                                                  size_t* buffer_size);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t mat_a,
                                       cusparseDnMatDescr_t mat_b, cusparseSparseToDenseAlg_t alg, void* buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t mat_a,
                                                  cusparseSpMatDescr_t mat_b, cusparseDenseToSparseAlg_t alg,
                                                  size_t* buffer_size);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t mat_a,
                                                cusparseSpMatDescr_t mat_b, cusparseDenseToSparseAlg_t alg,
                                                void* buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t mat_a,
                                               cusparseSpMatDescr_t mat_b, cusparseDenseToSparseAlg_t alg,
                                               void* buffer);

/* Products of sparse matrices. */
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                               const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                               size_t* buffer_size1, void* buffer1);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t* num_prods);
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                               const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                               float chunk_fraction, size_t* buffer_size3, void* buffer3,
                                               size_t* buffer_size2);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                        cusparseConstSpMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                        cudaDataType compute_type, cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                        size_t* buffer_size2, void* buffer2);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                     const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                     cusparseConstSpMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                     cudaDataType compute_type, cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                    cusparseOperation_t op_b, cusparseConstSpMatDescr_t mat_a,
                                                    cusparseConstSpMatDescr_t mat_b, cusparseSpMatDescr_t mat_c,
                                                    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                                    size_t* buffer_size1, void* buffer1);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                         cusparseSpMatDescr_t mat_c, cusparseSpGEMMAlg_t alg,
                                         cusparseSpGEMMDescr_t descr, size_t* buffer_size2, void* buffer2,
                                         size_t* buffer_size3, void* buffer3, size_t* buffer_size4, void* buffer4);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                          cusparseSpMatDescr_t mat_c, cusparseSpGEMMAlg_t alg,
                                          cusparseSpGEMMDescr_t descr, size_t* buffer_size5, void* buffer5);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                             cusparseOperation_t op_b, const void* alpha,
                                             cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                             const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                             cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr);

/* Triangular systems. */
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descr);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                         cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t descr, size_t* buffer_size);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                       cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                       cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t descr, void* buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                    cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                    cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descr, void* new_values,
                                           cusparseSpSVUpdate_t part);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descr);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                         cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
                                         cudaDataType compute_type, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                         size_t* buffer_size);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                       const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                       cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
                                       cudaDataType compute_type, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                       void* buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void* alpha, cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                                    cusparseDnMatDescr_t mat_c, cudaDataType compute_type, cusparseSpSMAlg_t alg,
                                    cusparseSpSMDescr_t descr);
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descr, void* new_values,
                                           cusparseSpSMUpdate_t part);

/* Descriptors of matrices whose arrays are arguments. */
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill_mode);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diag_type);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr);

/* Conversions and sorts of indices. */
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* row_indices, int nnz, int m,
                                  int* csr_sorted_row_ptr, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* csr_sorted_row_ptr, int nnz, int m,
                                  int* row_indices, cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void* csr_val,
                                               const int* csr_row_ptr, const int* columns, void* csc_val,
                                               int* csc_col_ptr, int* row_indices, cudaDataType val_type,
                                               cusparseAction_t copy_values, cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t alg, size_t* buffer_size);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* csr_val,
                                    const int* csr_row_ptr, const int* columns, void* csc_val, int* csc_col_ptr,
                                    int* row_indices, cudaDataType val_type, cusparseAction_t copy_values,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg, void* buffer);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int* coo_rows_a,
                                                const int* coo_cols_a, size_t* p_buffer_size_in_bytes);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int* coo_rows_a, int* coo_cols_a,
                                       int* p, void* p_buffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int* coo_rows_a,
                                          int* coo_cols_a, int* p, void* p_buffer);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* csr_row_ptr_a, const int* csr_col_ind_a,
                                                size_t* p_buffer_size_in_bytes);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,
                                  const int* csr_row_ptr_a, int* csr_col_ind_a, int* p, void* p_buffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* csc_col_ptr_a, const int* csc_row_ind_a,
                                                size_t* p_buffer_size_in_bytes);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,
                                  const int* csc_col_ptr_a, int* csc_row_ind_a, int* p, void* p_buffer);

/* Sums. The first call writes the offsets of the sum, and their count to the host or the device, by the pointer mode.
 */
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descr_a,
                                      int nnz_a, const int* offsets_a, const int* columns_a,
                                      const cusparseMatDescr_t descr_b, int nnz_b, const int* offsets_b,
                                      const int* columns_b, const cusparseMatDescr_t descr_c, int* offsets_c,
                                      int* total, void* workspace);

/* Incomplete factors. */
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int* position);

/* Sums, incomplete factors, and systems with three or five diagonals, of each type. */
#define COHORT_CUSPARSE_ROUTINES(X, T)                                                                                 \
  cusparseStatus_t cusparse##X##csrgeam2_bufferSizeExt(                                                                \
      cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descr_a, int nnz_a,              \
      const T* values_a, const int* offsets_a, const int* columns_a, const T* beta, const cusparseMatDescr_t descr_b,  \
      int nnz_b, const T* values_b, const int* offsets_b, const int* columns_b, const cusparseMatDescr_t descr_c,      \
      const T* values_c, const int* offsets_c, const int* columns_c, size_t* size);                                    \
  cusparseStatus_t cusparse##X##csrgeam2(                                                                              \
      cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descr_a, int nnz_a,              \
      const T* values_a, const int* offsets_a, const int* columns_a, const T* beta, const cusparseMatDescr_t descr_b,  \
      int nnz_b, const T* values_b, const int* offsets_b, const int* columns_b, const cusparseMatDescr_t descr_c,      \
      T* values_c, int* offsets_c, int* columns_c, void* buffer);                                                      \
  cusparseStatus_t cusparse##X##csrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int enable_boost,  \
                                                      double* tol, T* boost_val);                                      \
  cusparseStatus_t cusparse##X##csrilu02_bufferSize(cusparseHandle_t handle, int m, int nnz,                           \
                                                    const cusparseMatDescr_t descr, T* values, const int* offsets,     \
                                                    const int* columns, csrilu02Info_t info, int* size);               \
  cusparseStatus_t cusparse##X##csrilu02_analysis(                                                                     \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T* values, const int* offsets,    \
      const int* columns, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);                            \
  cusparseStatus_t cusparse##X##csrilu02(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr,      \
                                         T* values, const int* offsets, const int* columns, csrilu02Info_t info,       \
                                         cusparseSolvePolicy_t policy, void* buffer);                                  \
  cusparseStatus_t cusparse##X##csric02_bufferSize(cusparseHandle_t handle, int m, int nnz,                            \
                                                   const cusparseMatDescr_t descr, T* values, const int* offsets,      \
                                                   const int* columns, csric02Info_t info, int* size);                 \
  cusparseStatus_t cusparse##X##csric02_analysis(                                                                      \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T* values, const int* offsets,    \
      const int* columns, csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);                             \
  cusparseStatus_t cusparse##X##csric02(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr,       \
                                        T* values, const int* offsets, const int* columns, csric02Info_t info,         \
                                        cusparseSolvePolicy_t policy, void* buffer);                                   \
  cusparseStatus_t cusparse##X##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n, const T* dl, const T* d,    \
                                                    const T* du, const T* b, int ldb, size_t* size);                   \
  cusparseStatus_t cusparse##X##gtsv2(cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du,     \
                                      T* b, int ldb, void* buffer);                                                    \
  cusparseStatus_t cusparse##X##gtsv2_nopivot_bufferSizeExt(                                                           \
      cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, const T* b, int ldb, size_t* size); \
  cusparseStatus_t cusparse##X##gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T* dl, const T* d,          \
                                              const T* du, T* b, int ldb, void* buffer);                               \
  cusparseStatus_t cusparse##X##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int m, const T* dl,           \
                                                                const T* d, const T* du, const T* x, int count,        \
                                                                int stride, size_t* size);                             \
  cusparseStatus_t cusparse##X##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl, const T* d,             \
                                                  const T* du, T* x, int count, int stride, void* buffer);             \
  cusparseStatus_t cusparse##X##gtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algo, int m,           \
                                                                   const T* dl, const T* d, const T* du, const T* x,   \
                                                                   int count, size_t* size);                           \
  cusparseStatus_t cusparse##X##gtsvInterleavedBatch(cusparseHandle_t handle, int algo, int m, T* dl, T* d, T* du,     \
                                                     T* x, int count, void* buffer);                                   \
  cusparseStatus_t cusparse##X##gpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algo, int m,           \
                                                                   const T* ds, const T* dl, const T* d, const T* du,  \
                                                                   const T* dw, const T* x, int count, size_t* size);  \
  cusparseStatus_t cusparse##X##gpsvInterleavedBatch(cusparseHandle_t handle, int algo, int m, T* ds, T* dl, T* d,     \
                                                     T* du, T* dw, T* x, int count, void* buffer);
COHORT_CUSPARSE_ROUTINES(S, float)
COHORT_CUSPARSE_ROUTINES(D, double)
COHORT_CUSPARSE_ROUTINES(C, cuComplex)
COHORT_CUSPARSE_ROUTINES(Z, cuDoubleComplex)
#undef COHORT_CUSPARSE_ROUTINES

#include "cudart_detail/cusparse/deprecated.h"

#ifdef __cplusplus
}
#endif

#include <cohort/base/user_macros/on.hpp>
