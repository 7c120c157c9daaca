// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of products and solutions: operands at pointers in device memory, or at equal distances.
#pragma once

#include "libraries/cublas/level3.hpp"

namespace cohort::cublas {

using libraries::pointer_array;
using libraries::strided;

template <class T, class A, class B, class C>
cublasStatus_t gemm_batch(const call& c, const gemm_shape& s, const T* alpha, const A& a, const B& b, const T* beta,
                          const C& result, int64_t count) {
  checks valid(c);
  s.check(valid);
  valid.sizes(count).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || !s.has_result() || count == 0) return valid.status();
  const double cost = s.cost() * static_cast<double>(count);
  return submit(c, cost, false, [=, fa = factor(c, alpha), fb = factor(c, beta)](memory_accesses& memory) {
    const T by_a = fa.read(memory), by_b = fb.read(memory);
    if (!a.read(memory, count, "Aarray") || !b.read(memory, count, "Barray") || !result.read(memory, count, "Carray"))
      return;
    for (int64_t i = 0; i < count; ++i) {
      if (!s.report(memory, !is_zero(by_a) && s.k > 0, a.at(i), b.at(i), result.at(i))) return;
      multiply(s, by_a, a.at(i), b.at(i), by_b, result.at(i));
    }
  });
}
template <class T>
cublasStatus_t gemm_batched(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                            int64_t k, const T* alpha, const T* const* a, int64_t lda, const T* const* b, int64_t ldb,
                            const T* beta, T* const* result, int64_t ldc, int64_t count) {
  return gemm_batch(c, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, pointer_array(a), pointer_array(b), beta,
                    pointer_array(result), count);
}
template <class T>
cublasStatus_t gemm_strided(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                            int64_t k, const T* alpha, const T* a, int64_t lda, int64_t stridea, const T* b,
                            int64_t ldb, int64_t strideb, const T* beta, T* result, int64_t ldc, int64_t stridec,
                            int64_t count) {
  return gemm_batch(c, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, strided(a, stridea), strided(b, strideb), beta,
                    strided(result, stridec), count);
}

template <class T, class A, class X, class Y>
cublasStatus_t gemv_batch(const call& c, cublasOperation_t trans, int64_t m, int64_t n, const T* alpha, const A& a,
                          int64_t lda, const X& x, int64_t incx, const T* beta, const Y& y, int64_t incy,
                          int64_t count) {
  checks valid(c);
  valid.is_op(trans).sizes(m, n, count).columns(lda, m).increments(incx, incy).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || count == 0) return valid.status();
  const bool plain = trans == CUBLAS_OP_N;
  const double cost = cost_of(m, n, count);
  return submit(c, cost, false, [=, fa = factor(c, alpha), fb = factor(c, beta)](memory_accesses& memory) {
    const T by_a = fa.read(memory), by_b = fb.read(memory);
    if (!a.read(memory, count, "Aarray") || !x.read(memory, count, "xarray") || !y.read(memory, count, "yarray"))
      return;
    for (int64_t i = 0; i < count; ++i) {
      memory.reads(matrix_at(a.at(i), m, n, lda), "A");
      memory.reads(vector_at(x.at(i), plain ? n : m, incx), "x");
      if (!prepare_result(memory, by_b, y.at(i), plain ? m : n, incy)) return;
      call_gemv<T>(trans, m, n, &by_a, a.at(i), lda, x.at(i), incx, &by_b, y.at(i), incy);
    }
  });
}
template <class T>
cublasStatus_t gemv_batched(const call& c, cublasOperation_t trans, int64_t m, int64_t n, const T* alpha,
                            const T* const* a, int64_t lda, const T* const* x, int64_t incx, const T* beta, T* const* y,
                            int64_t incy, int64_t count) {
  return gemv_batch(c, trans, m, n, alpha, pointer_array(a), lda, pointer_array(x), incx, beta, pointer_array(y), incy,
                    count);
}
template <class T>
cublasStatus_t gemv_strided(const call& c, cublasOperation_t trans, int64_t m, int64_t n, const T* alpha, const T* a,
                            int64_t lda, int64_t stridea, const T* x, int64_t incx, int64_t stridex, const T* beta,
                            T* y, int64_t incy, int64_t stridey, int64_t count) {
  return gemv_batch(c, trans, m, n, alpha, strided(a, stridea), lda, strided(x, stridex), incx, beta,
                    strided(y, stridey), incy, count);
}

template <class T>
cublasStatus_t trsm_batched(const call& c, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                            cublasDiagType_t diag, int64_t m, int64_t n, const T* alpha, const T* const* a, int64_t lda,
                            T* const* b, int64_t ldb, int64_t count) {
  checks valid(c);
  const triangular_shape s{side, uplo, trans, diag, m, n, lda, ldb};
  s.check(valid);
  valid.sizes(count).pointers(alpha);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || count == 0) return valid.status();
  const double cost = cost_of(m, n, s.order()) * static_cast<double>(count);
  return submit(c, cost, false, [=, fa = factor(c, alpha)](memory_accesses& memory) {
    const T by_a = fa.read(memory);
    const pointer_array left(a);
    const pointer_array right(b);
    if (!left.read(memory, count, "Aarray") || !right.read(memory, count, "Barray")) return;
    for (int64_t i = 0; i < count; ++i) {
      if (!is_zero(by_a)) reads_triangle(memory, left.at(i), uplo, s.order(), lda);
      if (!memory.writes(matrix_at(right.at(i), m, n, ldb), "B")) return;
      s.call_openblas(openblas<T>().trsm, by_a, left.at(i), right.at(i));
    }
  });
}

}  // namespace cohort::cublas
