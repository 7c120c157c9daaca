// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of vectors and matrices between host and device memory.
#include <cublas_api.h>
#include <cuda_runtime_api.h>

#include "libraries/cublas/call.hpp"

namespace cohort::cublas {

namespace {

struct matrix_copy {
  int64_t rows, columns, bytes;
  const void* from;
  int64_t ld_from;
  void* to;
  int64_t ld_to;
};

// Copies columns of a matrix. `stream`: null for a copy that the call waits for.
cublasStatus_t copy(const matrix_copy& m, cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (m.rows < 0 || m.columns < 0 || m.bytes <= 0 || m.ld_from < m.rows || m.ld_to < m.rows || m.ld_from <= 0 ||
      m.ld_to <= 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m.rows == 0 || m.columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = [&](int64_t elements) { return static_cast<size_t>(elements) * static_cast<size_t>(m.bytes); };
  const auto columns = static_cast<size_t>(m.columns);
  const cudaError_t error =
      stream ? cudaMemcpy2DAsync(m.to, bytes(m.ld_to), m.from, bytes(m.ld_from), bytes(m.rows), columns, kind, *stream)
             : cudaMemcpy2D(m.to, bytes(m.ld_to), m.from, bytes(m.ld_from), bytes(m.rows), columns, kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

// A vector is a matrix of one row.
matrix_copy vector_copy(int64_t n, int64_t bytes, const void* x, int64_t incx, void* y, int64_t incy) {
  return {n < 0 || incx <= 0 || incy <= 0 ? -1 : 1, n, bytes, x, incx, y, incy};
}

}  // namespace

}  // namespace cohort::cublas

using cohort::cublas::copy;
using cohort::cublas::vector_copy;

// Defines the functions for one kind of copy with one type of indices.
#define COHORT_COPIES(verb, kind, index, suffix)                                                                      \
  cublasStatus_t cublas##verb##Vector##suffix(index n, index bytes, const void* x, index incx, void* y, index incy) { \
    return copy(vector_copy(n, bytes, x, incx, y, incy), kind, nullptr);                                              \
  }                                                                                                                   \
  cublasStatus_t cublas##verb##VectorAsync##suffix(index n, index bytes, const void* x, index incx, void* y,          \
                                                   index incy, cudaStream_t stream) {                                 \
    return copy(vector_copy(n, bytes, x, incx, y, incy), kind, &stream);                                              \
  }                                                                                                                   \
  cublasStatus_t cublas##verb##Matrix##suffix(index rows, index columns, index bytes, const void* a, index lda,       \
                                              void* b, index ldb) {                                                   \
    return copy({rows, columns, bytes, a, lda, b, ldb}, kind, nullptr);                                               \
  }                                                                                                                   \
  cublasStatus_t cublas##verb##MatrixAsync##suffix(index rows, index columns, index bytes, const void* a, index lda,  \
                                                   void* b, index ldb, cudaStream_t stream) {                         \
    return copy({rows, columns, bytes, a, lda, b, ldb}, kind, &stream);                                               \
  }

extern "C" {
COHORT_COPIES(Set, cudaMemcpyHostToDevice, int, )
COHORT_COPIES(Set, cudaMemcpyHostToDevice, int64_t, _64)
COHORT_COPIES(Get, cudaMemcpyDeviceToHost, int, )
COHORT_COPIES(Get, cudaMemcpyDeviceToHost, int64_t, _64)
}
