// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of OpenBLAS, by their Fortran names. The library is loaded when a program makes its first handle, so
// that programs without cuBLAS do not depend on it.
#pragma once

#include <cstddef>

#include "libraries/common/blas_arguments.hpp"
#include "libraries/common/numbers.hpp"
#include "libraries/common/openblas_library.hpp"

namespace cohort::cublas {

using libraries::blas_int;
using libraries::is_complex;
using libraries::real_of;

template <class T>
struct openblas_functions {
  using R = real_of<T>;
  using I = const blas_int*;
  using C = const char*;

  R (*nrm2)(I n, const T* x, I incx);
  R (*asum)(I n, const T* x, I incx);  // for real numbers only
  void (*scal)(I n, const T* alpha, T* x, I incx);
  void (*axpy)(I n, const T* alpha, const T* x, I incx, T* y, I incy);
  void (*copy)(I n, const T* x, I incx, T* y, I incy);
  void (*swap)(I n, T* x, I incx, T* y, I incy);
  T (*dot)(I n, const T* x, I incx, const T* y, I incy);  // for real numbers only
  void (*rot)(I n, T* x, I incx, T* y, I incy, const R* c, const R* s);
  void (*rotg)(T* a, T* b, R* c, T* s);
  void (*rotm)(I n, T* x, I incx, T* y, I incy, const T* param);  // for real numbers only
  void (*rotmg)(T* d1, T* d2, T* x1, const T* y1, T* param);

  void (*gemv)(C trans, I m, I n, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy);
  void (*gbmv)(C trans, I m, I n, I kl, I ku, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta,
               T* y, I incy);
  using triangular = void(C uplo, C trans, C diag, I n, const T* a, I lda, T* x, I incx);
  using triangular_band = void(C uplo, C trans, C diag, I n, I k, const T* a, I lda, T* x, I incx);
  using triangular_packed = void(C uplo, C trans, C diag, I n, const T* ap, T* x, I incx);
  triangular *trmv, *trsv;
  triangular_band *tbmv, *tbsv;
  triangular_packed *tpmv, *tpsv;
  using symmetric = void(C uplo, I n, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y,
                         I incy);
  symmetric *symv, *hemv;  // for real numbers, functions for Hermitian matrices are the symmetric ones
  void (*hbmv)(C uplo, I n, I k, const T* alpha, const T* a, I lda, const T* x, I incx, const T* beta, T* y, I incy);
  void (*hpmv)(C uplo, I n, const T* alpha, const T* ap, const T* x, I incx, const T* beta, T* y, I incy);
  using rank_one = void(I m, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* a, I lda);
  rank_one *geru, *gerc;
  void (*syr)(C uplo, I n, const T* alpha, const T* x, I incx, T* a, I lda);
  void (*her)(C uplo, I n, const R* alpha, const T* x, I incx, T* a, I lda);
  void (*hpr)(C uplo, I n, const R* alpha, const T* x, I incx, T* ap);
  using rank_two = void(C uplo, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* a, I lda);
  rank_two *syr2, *her2;
  void (*hpr2)(C uplo, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* ap);

  void (*gemm)(C transa, C transb, I m, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta,
               T* c, I ldc);
  using symmetric_product = void(C side, C uplo, I m, I n, const T* alpha, const T* a, I lda, const T* b, I ldb,
                                 const T* beta, T* c, I ldc);
  symmetric_product *symm, *hemm;
  void (*syrk)(C uplo, C trans, I n, I k, const T* alpha, const T* a, I lda, const T* beta, T* c, I ldc);
  void (*herk)(C uplo, C trans, I n, I k, const R* alpha, const T* a, I lda, const R* beta, T* c, I ldc);
  void (*syr2k)(C uplo, C trans, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta, T* c,
                I ldc);
  void (*her2k)(C uplo, C trans, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const R* beta, T* c,
                I ldc);
  using triangular_product = void(C side, C uplo, C trans, C diag, I m, I n, const T* alpha, const T* a, I lda, T* b,
                                  I ldb);
  triangular_product *trmm, *trsm;

  void (*geqrf)(I m, I n, T* a, I lda, T* tau, T* work, I lwork, blas_int* info);
  void (*gels)(C trans, I m, I n, I nrhs, T* a, I lda, T* b, I ldb, T* work, I lwork, blas_int* info,
               size_t trans_length);
};

// False, with a sentence on stderr at the first call, where OpenBLAS cannot be loaded.
bool has_openblas();

// The table of OpenBLAS's functions for a type of numbers. pre: has_openblas() has returned true
template <class T>
const openblas_functions<T>& openblas() {
  return libraries::functions_of<openblas_functions<T>>;
}

}  // namespace cohort::cublas
