// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of the typed products from before cublasComputeType_t: the type of the computation is a cudaDataType.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cublas_api.h"

static inline cublasComputeType_t cohort_compute_type(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
      return CUBLAS_COMPUTE_16F;
    case CUDA_R_64F:
    case CUDA_C_64F:
      return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I:
      return CUBLAS_COMPUTE_32I;
    case CUDA_R_32F:
    case CUDA_C_32F:
      return CUBLAS_COMPUTE_32F;
    default:
      return static_cast<cublasComputeType_t>(-1);  // no compute type, so the product is refused
  }
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* a, cudaDataType atype,
                                          int lda, const void* b, cudaDataType btype, int ldb, const void* beta,
                                          void* c, cudaDataType ctype, int ldc, cudaDataType compute,
                                          cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, atype, lda, b, btype, ldb, beta, c, ctype, ldc,
                      cohort_compute_type(compute), algo);
}

static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                                 const void* const a[], cudaDataType atype, int lda,
                                                 const void* const b[], cudaDataType btype, int ldb, const void* beta,
                                                 void* const c[], cudaDataType ctype, int ldc, int count,
                                                 cudaDataType compute, cublasGemmAlgo_t algo) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, a, atype, lda, b, btype, ldb, beta, c, ctype, ldc,
                             count, cohort_compute_type(compute), algo);
}

static inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                        cublasOperation_t transb, int m, int n, int k,
                                                        const void* alpha, const void* a, cudaDataType atype, int lda,
                                                        long long int stridea, const void* b, cudaDataType btype,
                                                        int ldb, long long int strideb, const void* beta, void* c,
                                                        cudaDataType ctype, int ldc, long long int stridec, int count,
                                                        cudaDataType compute, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, atype, lda, stridea, b, btype, ldb,
                                    strideb, beta, c, ctype, ldc, stridec, count, cohort_compute_type(compute), algo);
}

#include <cohort/base/user_macros/on.hpp>
