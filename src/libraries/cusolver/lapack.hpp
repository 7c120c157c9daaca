// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of LAPACK and BLAS that cuSOLVER needs, from OpenBLAS. Fortran passes the lengths of string arguments
// after all other arguments. A function may use the memory of these arguments, so all are passed.
#pragma once

#include <cstddef>
#include <type_traits>

#include "libraries/common/blas_arguments.hpp"
#include "libraries/common/numbers.hpp"
#include "libraries/common/openblas_library.hpp"

namespace cohort::cusolver {

using libraries::is_complex;
using libraries::real_of;

template <class T>
struct lapack_functions {
  using R = real_of<T>;
  using I = const libraries::blas_int*;
  using C = const char*;
  using O = libraries::blas_int*;  // pivots, work space, the result of a function
  using L = size_t;                // Fortran's hidden argument: the length of a string argument, which has one letter

  void (*potrf)(C uplo, I n, T* a, I lda, O info, L);
  void (*potrs)(C uplo, I n, I nrhs, const T* a, I lda, T* b, I ldb, O info, L);
  void (*potri)(C uplo, I n, T* a, I lda, O info, L);
  void (*lauum)(C uplo, I n, T* a, I lda, O info, L);
  void (*trtri)(C uplo, C diag, I n, T* a, I lda, O info, L, L);

  void (*getrf)(I m, I n, T* a, I lda, O pivots, O info);
  void (*getrs)(C trans, I n, I nrhs, const T* a, I lda, I pivots, T* b, I ldb, O info, L);
  void (*laswp)(I n, T* a, I lda, I k1, I k2, I pivots, I increment);

  void (*geqrf)(I m, I n, T* a, I lda, T* tau, T* work, I lwork, O info);
  void (*orgqr)(I m, I n, I k, T* a, I lda, const T* tau, T* work, I lwork, O info);
  void (*ormqr)(C side, C trans, I m, I n, I k, T* a, I lda, const T* tau, T* c, I ldc, T* work, I lwork, O info, L, L);
  void (*larft)(C direct, C storev, I n, I k, const T* v, I ldv, const T* tau, T* t, I ldt, L, L);
  void (*gels)(C trans, I m, I n, I nrhs, T* a, I lda, T* b, I ldb, T* work, I lwork, O info, L);

  void (*sytrf)(C uplo, I n, T* a, I lda, O pivots, T* work, I lwork, O info, L);
  void (*sytri)(C uplo, I n, T* a, I lda, I pivots, T* work, O info, L);
  void (*sytrs)(C uplo, I n, I nrhs, const T* a, I lda, I pivots, T* b, I ldb, O info, L);

  void (*gebrd)(I m, I n, T* a, I lda, R* d, R* e, T* tauq, T* taup, T* work, I lwork, O info);
  void (*orgbr)(C vect, I m, I n, I k, T* a, I lda, const T* tau, T* work, I lwork, O info, L);
  void (*sytrd)(C uplo, I n, T* a, I lda, R* d, R* e, T* tau, T* work, I lwork, O info, L);
  void (*orgtr)(C uplo, I n, T* a, I lda, const T* tau, T* work, I lwork, O info, L);
  void (*ormtr)(C side, C uplo, C trans, I m, I n, T* a, I lda, const T* tau, T* c, I ldc, T* work, I lwork, O info, L,
                L, L);

  // Functions of complex numbers have real work space, too.
  template <class Real, class Complex>
  using by_type = std::conditional_t<is_complex<T>, Complex, Real>*;
  by_type<void(C jobz, C uplo, I n, T* a, I lda, R* w, T* work, I lwork, O iwork, I liwork, O info, L, L),
          void(C jobz, C uplo, I n, T* a, I lda, R* w, T* work, I lwork, R* rwork, I lrwork, O iwork, I liwork, O info,
               L, L)>
      syevd;
  by_type<void(I itype, C jobz, C uplo, I n, T* a, I lda, T* b, I ldb, R* w, T* work, I lwork, O iwork, I liwork,
               O info, L, L),
          void(I itype, C jobz, C uplo, I n, T* a, I lda, T* b, I ldb, R* w, T* work, I lwork, R* rwork, I lrwork,
               O iwork, I liwork, O info, L, L)>
      sygvd;
  void (*sygst)(I itype, C uplo, I n, T* a, I lda, const T* b, I ldb, O info, L);
  by_type<void(C jobvl, C jobvr, I n, T* a, I lda, R* wr, R* wi, T* vl, I ldvl, T* vr, I ldvr, T* work, I lwork, O info,
               L, L),
          void(C jobvl, C jobvr, I n, T* a, I lda, T* w, T* vl, I ldvl, T* vr, I ldvr, T* work, I lwork, R* rwork,
               O info, L, L)>
      geev;
  by_type<void(C jobu, C jobvt, I m, I n, T* a, I lda, R* s, T* u, I ldu, T* vt, I ldvt, T* work, I lwork, O info, L,
               L),
          void(C jobu, C jobvt, I m, I n, T* a, I lda, R* s, T* u, I ldu, T* vt, I ldvt, T* work, I lwork, R* rwork,
               O info, L, L)>
      gesvd;
  by_type<void(C jobz, I m, I n, T* a, I lda, R* s, T* u, I ldu, T* vt, I ldvt, T* work, I lwork, O iwork, O info, L),
          void(C jobz, I m, I n, T* a, I lda, R* s, T* u, I ldu, T* vt, I ldvt, T* work, I lwork, R* rwork, O iwork,
               O info, L)>
      gesdd;

  void (*gemm)(C transa, C transb, I m, I n, I k, const T* alpha, const T* a, I lda, const T* b, I ldb, const T* beta,
               T* c, I ldc, L, L);
  using triangular_product = void(C side, C uplo, C trans, C diag, I m, I n, const T* alpha, const T* a, I lda, T* b,
                                  I ldb, L, L, L, L);
  triangular_product *trsm, *trmm;
};

// False, with a sentence on stderr at the first call, where OpenBLAS cannot be loaded.
bool has_lapack();

// The table of LAPACK's functions for a type of numbers. pre: has_lapack() has returned true
template <class T>
const lapack_functions<T>& lapack() {
  return libraries::functions_of<lapack_functions<T>>;
}

}  // namespace cohort::cusolver
